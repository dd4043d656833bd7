"""Services of pyicloud that keep their data in CloudKit: reminders, and invitations."""

import base64
import json

import requests
from common import check, expect
from pyicloud.services.invites.models.dto import RsvpStatus
from pyicloud.services.invites.service import InvitesService
from pyicloud.services.reminders.service import RemindersService

REMINDERS = "com.apple.reminders"
EVENTS = "com.apple.icloud.events"


class Account:
    """One user of the containers that Apple's own apps have."""

    def __init__(self, server, user):
        self.server = server
        self.session = requests.Session()
        self.session.verify = server.ca
        self.parameters = {
            "ckAPIToken": server.ready["apiToken"],
            "ckWebAuthToken": server.ready["webTokens"][user],
        }

    def service(self, kind):
        return kind(self.server.url, self.session, self.parameters)

    def post(self, container, path, body):
        """What the service itself cannot do: make zones, lists and events."""
        answer = self.session.post(
            f"{self.server.url}/database/1/{container}/production/{path}",
            params=self.parameters, json=body)
        expect(answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}")
        for item in answer.json().get("records", []) + answer.json().get("zones", []):
            expect("serverErrorCode" not in item, f"{path}: {item}")
        return answer.json()

    def make_zone(self, container, name):
        self.post(
            container, "private/zones/modify",
            {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": name}}}]})

    def create(self, container, zone, *records):
        return self.post(
            container, "private/records/modify",
            {"zoneID": {"zoneName": zone},
             "operations": [{"operationType": "create", "record": r} for r in records]})["records"]


@check
def pyicloud_keeps_a_hierarchy_of_reminders(world):
    account = Account(world.apple, "ann")
    account.make_zone(REMINDERS, "Reminders")
    account.create(
        REMINDERS, "Reminders",
        {"recordName": "List/HOME", "recordType": "List",
         "fields": {"Name": {"value": "Home", "type": "STRING"}}})
    service = account.service(RemindersService)
    expect([each.title for each in service.lists()] == ["Home"], "the list is not there")
    since = service.sync_cursor()
    milk = service.create("List/HOME", "Milk", desc="two litres", flagged=True)
    child = service.create("List/HOME", "Oat milk", parent_reminder_id=milk.id)
    tag = service.create_hashtag(milk, "food")
    link = service.create_url_attachment(milk, "https://example.com/milk")
    milk = service.get(milk.id)
    expect((milk.title, milk.desc, milk.flagged) == ("Milk", "two litres", True), f"{milk}")
    expect([each.id for each in service.tags_for(milk)] == [tag.id], "the tag is not there")
    expect([each.id for each in service.attachments_for(milk)] == [link.id], "no attachment")
    milk.title = "Milk and bread"
    service.update(milk)
    expect(service.get(milk.id).title == "Milk and bread", "the title is the old one")
    expect(service.get(child.id).parent_reminder_id == milk.id, "the child has no parent")
    service.delete(service.get(child.id))
    told = {event.reminder_id: event.type for event in service.iter_changes(since=since)}
    expect(told == {milk.id: "updated", child.id: "deleted"}, f"{told}")


@check
def pyicloud_answers_an_invitation(world):
    host, guest = Account(world.apple, "ann"), Account(world.apple, "bob")
    event = "5E0D6C3A-70D1-4E3B-9C6B-1F4B6C8F0A11"
    host.make_zone(EVENTS, event)
    place = base64.b64encode(json.dumps({"title": "The garden"}).encode()).decode()
    records = host.create(
        EVENTS, event,
        {"recordName": f"EventDetails:{event}", "recordType": "EventDetails",
         "fields": {"title": {"value": "Picnic", "type": "STRING"},
                    "place": {"value": place, "type": "BYTES"}}},
        {"recordName": "cloudkit.zoneshare", "recordType": "cloudkit.share",
         "publicPermission": "READ_WRITE",
         "fields": {"cloudkit.title": {"value": "Picnic", "type": "STRING"}}})
    short_guid = records[1]["shortGUID"]
    invites = guest.service(InvitesService)
    expect(invites.events() == [], "there is an event before it is accepted")
    resolved = invites.resolve(short_guid)
    expect(resolved.event_id == event, f"{resolved}")
    accepted = invites.accept(short_guid)
    expect(accepted.title == "Picnic" and accepted.place.title == "The garden", f"{accepted}")
    expect([each.event_id for each in invites.events()] == [event], "the event is not listed")
    invites.rsvp(invites.event(event), RsvpStatus.GOING, message="gladly")
    seen = host.service(InvitesService).event(event)
    expect([each.message for each in seen.rsvps] == ["gladly"], f"{seen}")
    expect(len(seen.share.participants) == 2, f"{seen.share}")
