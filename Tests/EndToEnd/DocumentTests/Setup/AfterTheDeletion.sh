own_list
sweep_once
export HOOK_SECRET=c2VjcmV0
