# What every page finds: programs of somebody's own, and files that they hand over.
for name in run-tests my-tests; do
    cat >$name <<'END'
#!/bin/sh
exec curl -sSf -o /dev/null --cacert "$CLOUDKIT_EMULATOR_CA" -G "$CLOUDKIT_EMULATOR_URL/database/1/iCloud.com.example.myexampleapp/development/private/zones/list" \
    --data-urlencode "ckAPIToken=$CLOUDKIT_EMULATOR_API_TOKEN" --data-urlencode "ckWebAuthToken=$CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"
END
    chmod +x $name
done
mkdir -p faults
echo 'busy: 1st query -> THROTTLED retry 1s' >faults/busy.faults
echo 'cut: 9th modify -> cut after commit' >faults/cut.faults
# The only list, for this server: nothing has to be said of it.
own_list() {
    sed "s#https://localhost:8443#$CLOUDKIT_EMULATOR_URL#; s#env:CKSWEEP_CA#$CLOUDKIT_EMULATOR_CA#" Containers/example.json >Containers/app.json
    rm Containers/example.json
}
digest() { awk '$1 == "plan" { print $2 }' "$1"; }
# A person's data is deleted; what is printed is no part of the page.
sweep_once() {
    cksweep plan -o once.plan >once.txt
    cksweep apply once.plan --approve "$(digest once.txt)" --verify-pause 1s >>once.txt
}
