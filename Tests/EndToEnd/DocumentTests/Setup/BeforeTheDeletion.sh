own_list
cksweep evidence init --rehearsal >/dev/null
cp "$XDG_STATE_HOME/cksweep/rehearsal/keys/evidence.pub.pem" operator.pub.pem
