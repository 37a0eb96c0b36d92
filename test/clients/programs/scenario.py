"""The steps of scenario.ts, by the client of Python."""

import json
import sys
import threading
import time
import urllib.request
from datetime import datetime, timezone
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Callable

from kohort import Kohort, KohortError, WebhookError, verify_webhook
from kohort.schema import CohortChangeDto, CreateCohortBody, PersonPropertyFilter, UntypedFilter

base_url, owner_key, project, token = sys.argv[1:5]


def faults(*following: str) -> None:
    """What happens to the next requests, which `seen` then returns."""
    urllib.request.urlopen(f"{base_url}/faults", json.dumps(following).encode()).close()


def seen() -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{base_url}/faults") as answer:
        found: list[dict[str, Any]] = json.load(answer)
        return found


def refusal(work: Callable[[], object]) -> KohortError:
    try:
        work()
    except KohortError as error:
        return error
    raise AssertionError("nothing was refused")


def is_broken(work: Callable[[], object]) -> bool:
    try:
        work()
    except KohortError:
        return False
    except OSError:
        return True
    return False


owner = Kohort(base_url, owner_key, int(project), pause=0.001)
made = owner.create_key({"label": "Python", "scopes": ["*"], "scoped_projects": [int(project)]})
kohort = Kohort(base_url, made["value"] or "", pause=0.001)
outcome: dict[str, object] = {}

# Events, of which the first answer is lost.
faults("lose")
captured = kohort.capture(
    token,
    [
        {
            "event": "signed up",
            "distinct_id": name,
            "timestamp": datetime.now(timezone.utc),
            "properties": {"$set": {"name": name, "plan": plan}},
        }
        for name, plan in {"ada": "pro", "bob": "pro", "eve": "free"}.items()
    ],
)
stored = [event["event"] for event in kohort.iter_events(limit=2)]
outcome["captured"] = [seen()[1]["path"], captured["accepted"], captured["duplicates"], len(stored)]


on_plan: PersonPropertyFilter = {"type": "person", "key": "plan", "value": "pro"}


def pro(name: str) -> CreateCohortBody:
    return {"name": name, "filters": {"properties": {"type": "AND", "values": [on_plan]}}}


# A cohort: refused, answered by no service, and then its answer is lost.
faults("503 0", "502", "lose")
cohort = kohort.create_cohort(pro("Customers"), wait=30)
attempts = seen()
named = [each["name"] for each in kohort.iter_cohorts(search="Customers", limit=1)]
outcome["cohort"] = [cohort["count"], len(attempts), len({each["key"] for each in attempts}), named]

# A copy is made by GET, and once nevertheless.
faults("lose")
copy = kohort.duplicate_cohort(cohort["id"])
outcome["copy"] = [copy["count"], len(list(kohort.iter_cohorts(limit=1)))]

# Members in pages of one.
faults()
members = sorted(person["name"] for person in kohort.iter_cohort_persons(cohort["id"], limit=1))
outcome["members"] = [members, len(seen())]


# Changes: the members of now, and after the last cursor what has changed. Connections break.
def changed(change: CohortChangeDto) -> str:
    return f"{change['change']} {change['reason']}"


snapshot: list[str] = []
after = ""
for each in kohort.changes(cohort["id"]):
    snapshot.append(changed(each))
    after = each["cursor"]
    if len(snapshot) == 2:
        break
for person in kohort.iter_persons(distinct_id=["bob"]):
    kohort.update_person(person["id"], {"properties": {"plan": "free"}})
kohort.recalculate_cohort(cohort["id"], wait=30)
followed: list[str] = []
for each in kohort.changes(cohort["id"], after=after, wait=1):
    followed.append(changed(each))
    if len(followed) == 2:
        break
    kohort.capture(token, [{"event": "upgraded", "distinct_id": "eve", "properties": {"$set": {"plan": "pro"}}}])
    kohort.recalculate_cohort(cohort["id"], wait=30)
    # More than a request is tried: the feed goes on.
    faults("cut", "503", "lose", "cut", "429 0", "cut")
outcome["changes"] = [snapshot, followed]


# A webhook, whose message is verified.
class Receiver(BaseHTTPRequestHandler):
    got: tuple[dict[str, str], bytes]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Receiver.got = dict(self.headers.items()), body
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return None


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
waiting = threading.Thread(target=receiver.handle_request)
waiting.start()
webhook = kohort.create_webhook({"url": f"http://127.0.0.1:{receiver.server_port}/", "cohorts": [cohort["id"]]})
secret = webhook["secret"] or ""
kohort.capture(token, [{"event": "upgraded", "distinct_id": "bob", "properties": {"$set": {"plan": "pro"}}}])
kohort.recalculate_cohort(cohort["id"], wait=30)
waiting.join()
headers, body = Receiver.got
message = verify_webhook(secret, headers, body)


def judged(verify: Callable[[], object]) -> str:
    try:
        verify()
    except WebhookError:
        return "refused"
    return "accepted"


lower = {name.lower(): value for name, value in headers.items()}
forged: list[Callable[[], object]] = [
    lambda: verify_webhook(secret, headers, body.replace(b"entered", b"left")),
    lambda: verify_webhook("whsec_b3RoZXI=", headers, body),
    lambda: verify_webhook(secret, {**lower, "webhook-timestamp": "1700000000"}, body),
    lambda: verify_webhook(secret, {**lower, "webhook-signature": "v1,%"}, body),
    lambda: verify_webhook(secret, {}, body),
    lambda: verify_webhook(secret, headers, body, tolerance=-1),
]
outcome["webhook"] = [
    message["id"] == lower["webhook-id"],
    message["type"] == "cohort.changed" and [changed(each) for each in message["data"]["changes"]],
    [judged(each) for each in forged],
]

# Refusals: of a definition, of a service that is away, and for longer than a client waits.
wrong: UntypedFilter = {"key": "age", "operator": "regex", "value": "("}
definition: CreateCohortBody = {"name": "Broken", "filters": {"properties": {"type": "AND", "values": [wrong]}}}
refused = refusal(lambda: kohort.create_cohort(definition))
outcome["refused"] = [refused.status, refused.code, refused.attr]
faults("503 0", "503 0", "503 0", "503 0")
away = refusal(lambda: kohort.update_cohort(cohort["id"], {"name": "x"}))
outcome["away"] = [away.status, len(seen())]
faults("429 3600")
later = refusal(lambda: kohort.update_cohort(cohort["id"], {"name": "x"}))
later_attempts = len(seen())
faults("503 " + formatdate(time.time() + 3600, usegmt=True))
at_date = refusal(lambda: kohort.update_cohort(cohort["id"], {"name": "x"}))
outcome["later"] = [later.status, later.retry_after, later_attempts, (at_date.retry_after or 0) > 3500]

# A change without a key is not sent again when it is not known what the service has done.
faults("lose")
broken = is_broken(lambda: kohort.update_cohort(cohort["id"], {"name": "Renamed"}))
outcome["unknown"] = [broken, len(seen())]
faults("502")
outcome["proxy"] = [refusal(lambda: kohort.update_cohort(cohort["id"], {"name": "x"})).status, len(seen())]

# A done request whose answer is lost for good: under the same key it is not done again.
other = refusal(lambda: kohort.create_cohort(pro("Another request"), idempotency_key=attempts[0]["key"]))
outcome["otherRequest"] = [other.status, other.code]
json.dump(outcome, sys.stdout)
