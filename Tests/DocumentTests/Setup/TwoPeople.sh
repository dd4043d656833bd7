own_list
cksweep plan -o before.plan >/dev/null
cksweep plan -o person.plan >/dev/null
