own_list
cksweep evidence init --rehearsal >/dev/null
cp "$XDG_STATE_HOME/cksweep/rehearsal/keys/evidence.pub.pem" operator.pub.pem
sweep_once
for file in "$XDG_STATE_HOME"/cksweep/rehearsal/evidence/*.json*; do
    cp "$file" "RUN.${file#*.}"
done
# The page makes the key as the first thing.
mv "$XDG_STATE_HOME/cksweep/rehearsal/keys" keys.before
