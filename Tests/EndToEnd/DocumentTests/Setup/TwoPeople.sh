own_list
cksweep plan -o before.plan >/dev/null
cksweep plan -o ann.plan >/dev/null
