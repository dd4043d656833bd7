"""A round with a client that openapi-python-client made of the server's document: a record is
created, found by a query, and deleted, over TLS.

generated_round.py URL CA CONTAINER API-TOKEN WEB-TOKEN
"""

import ssl
import sys

from mock_client import Client
from mock_client.api.records import look_up_records, modify_records, query_records
from mock_client.api.zones import list_zones, modify_zones
from mock_client.models import (
    Error, Query, Record, RecordError, RecordsLookupRequest, RecordsModifyRequest,
    RecordsQueryRequest, ZonesListRequest, ZonesModifyRequest)

ZONE = {"zoneName": "generated"}


def expect(condition, *facts):
    if not condition:
        sys.exit(f"not as expected: {facts}")


def main():
    url, ca, container, api_token, web_token = sys.argv[1:]
    client = Client(
        base_url=url, verify_ssl=ssl.create_default_context(cafile=ca),
        raise_on_unexpected_status=True,
        httpx_args={"params": {"ckAPIToken": api_token, "ckWebAuthToken": web_token}})
    database = (container, "development", "private")

    def call(operation, body):
        return operation.sync(*database, client=client, body=body)

    def modify(kind, **record):
        answer = call(modify_records, RecordsModifyRequest.from_dict({
            "zoneID": ZONE,
            "operations": [{"operationType": kind, "record": {"recordName": "one", **record}}]}))
        return answer.records[0]

    made = call(modify_zones, ZonesModifyRequest.from_dict(
        {"operations": [{"operationType": "create", "zone": {"zoneID": ZONE}}]}))
    expect(made.zones[0].zone_id.zone_name == "generated", made)
    zones = call(list_zones, ZonesListRequest())
    expect("generated" in [zone.zone_id.zone_name for zone in zones.zones], zones)

    # Albums of the demo's schema can be found by their names.
    created = modify(
        "create", recordType="Album", fields={"name": {"value": "by a client", "type": "STRING"}})
    expect(isinstance(created, Record) and created.record_change_tag, created)
    found = call(query_records, RecordsQueryRequest.from_dict({
        "zoneID": ZONE,
        "query": Query.from_dict({
            "recordType": "Album",
            "filterBy": [{
                "fieldName": "name", "comparator": "EQUALS",
                "fieldValue": {"value": "by a client", "type": "STRING"}}]}).to_dict()}))
    expect([record.record_name for record in found.records] == ["one"], found)
    expect(found.records[0].fields["name"].value == "by a client", found)

    # An item's error, and one of the whole request, come as what they are.
    again = modify("create", recordType="Album", fields={})
    expect(isinstance(again, RecordError) and again.server_error_code == "CONFLICT", again)
    stranger = Client(base_url=url, verify_ssl=ssl.create_default_context(cafile=ca))
    refused = list_zones.sync(*database, client=stranger, body=ZonesListRequest())
    expect(isinstance(refused, Error), refused)
    expect(refused.server_error_code == "AUTHENTICATION_FAILED", refused)

    deleted = modify("delete", recordChangeTag=created.record_change_tag)
    expect(deleted.deleted is True, deleted)
    gone = call(look_up_records, RecordsLookupRequest.from_dict(
        {"zoneID": ZONE, "records": [{"recordName": "one"}]}))
    expect(isinstance(gone.records[0], RecordError), gone)
    expect(gone.records[0].server_error_code == "NOT_FOUND", gone)


main()
