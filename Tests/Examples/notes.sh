#!/bin/sh
# Saves, reads and deletes a note by CloudKit Web Services, with curl.
#
#     cloudkit-mock exec --any-container -- sh notes.sh
set -eu

# ask PATH BODY: one request to the person's private database.
ask() {
    curl -sS --fail-with-body --max-time 30 --cacert "$CLOUDKIT_EMULATOR_CA" --url-query \
        "ckAPIToken=$CLOUDKIT_EMULATOR_API_TOKEN" --url-query \
        "ckWebAuthToken=$CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN" -H 'Content-Type: application/json' \
        -d "$2" \
        "$CLOUDKIT_EMULATOR_URL/database/1/iCloud.com.example.notes/development/private/$1"
}

# must WORDS TEXT: the answer has to hold these words.
must() {
    case $2 in
        *serverErrorCode*) printf 'refused: %s\n' "$2" >&2; exit 1 ;;
        *"$1"*) ;;
        *) printf 'no %s in: %s\n' "$1" "$2" >&2; exit 1 ;;
    esac
}

zone='"zoneID":{"zoneName":"Notes"}'
must '"Notes"' "$(ask zones/modify \
    "{\"operations\":[{\"operationType\":\"create\",\"zone\":{$zone}}]}")"
record='"recordName":"milk","recordType":"Note","fields":{"title":{"value":"Buy milk"}}'
must recordChangeTag "$(ask records/modify \
    "{$zone,\"operations\":[{\"operationType\":\"create\",\"record\":{$record}}]}")"
echo "saved: milk"
must 'Buy milk' "$(ask records/lookup "{$zone,\"records\":[{\"recordName\":\"milk\"}]}")"
echo "found: Buy milk"
must '"Notes"' "$(ask zones/modify \
    "{\"operations\":[{\"operationType\":\"delete\",\"zone\":{$zone}}]}")"
left=$(ask zones/list '{}')
must _defaultZone "$left"
case $left in *'"Notes"'*) echo "the zone is still there" >&2; exit 1 ;; esac
echo "left: _defaultZone"
