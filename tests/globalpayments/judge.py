"""Python's hashlib and the provider's reference judge the shop's side of Global Payments:

- the signatures of tests/fixtures/globalpayments/signatures.json are good or bad by hashlib;
- the requests that the shop sends (tests/fixtures/globalpayments/requests.json, kept current by a Rust test)
  have the names, types and lengths of the reference;
- the double answers as the reference states, and signs messages that hashlib accepts.

    judge.py path/to/globalpayments-double path/to/tests/fixtures/globalpayments

It prints what it judged and ends with 1 at the first mistake.
"""

import copy
import datetime
import gzip
import hashlib
import http.server
import json
import queue
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid

KEY = "app-key-for-tests"
VERSION = "2021-03-22"


def signed(text, key=KEY):
    return hashlib.sha512(text + key.encode()).hexdigest()


# --- Signatures --------------------------------------------------------------------------


def is_good(body, signature, key):
    forms = [body]
    try:
        line = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False)
        forms.append(line)
    except ValueError:
        pass
    return signature.lower() in [signed(form.encode(), key) for form in forms]


def judge_signatures(vectors):
    key = vectors["app_key"]
    for one in vectors["tokens"]:
        assert signed(one["nonce"].encode(), key) == one["secret"], one["nonce"]
    for one in vectors["messages"]:
        assert is_good(one["body"], one["signature"], key) == one["good"], one["name"]
    assert {one["good"] for one in vectors["messages"]} == {True, False}
    print(f"{len(vectors['messages'])} signatures are good and bad as hashlib says")


# --- The shop's requests -----------------------------------------------------------------


def text(pattern, longest=255):
    def check(value):
        return isinstance(value, str) and len(value) <= longest and re.fullmatch(pattern, value)

    return check


PLAIN = r"[\x20-\x7e]+"
ID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
AMOUNT = text(r"[1-9][0-9]*")
URL = text(r"https://[^\s]+")
# A name with a question mark may be missing.
LINK = {
    "account_name": text(PLAIN),
    "type": text("HOSTED_PAYMENT_PAGE"),
    "usage_mode": text("SINGLE"),
    "usage_limit": text("1"),
    "shippable": text("NO"),
    "reference": text(ID, 50),
    "name": text(PLAIN, 50),
    "description": text(PLAIN, 50),
    "expiration_date": text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
    "order": {
        "amount": AMOUNT,
        "currency": text("GBP"),
        "reference": text(ID, 50),
        "transaction_configuration": {
            "channel": text("CNP"),
            "country": text("[A-Z]{2}"),
            "capture_mode": text("AUTO"),
            "allowed_payment_methods": lambda value: value == ["CARD"],
            "currency_conversion_mode": text("NO"),
        },
        "payment_method_configuration": {
            "authentications": {"preference": text("NO_PREFERENCE|CHALLENGE_PREFERRED")},
            "storage_mode?": text("ON_SUCCESS"),
        },
    },
    "payer": {
        "status": text("NEW"),
        "first_name?": text(PLAIN, 50),
        "last_name?": text(PLAIN, 50),
        "email": text(r"[^@\s]+@[^@\s]+"),
        "language": text("EN"),
        "mobile_phone?": {
            "country_code": text("[1-9][0-9]{0,2}"),
            "subscriber_number": text("[0-9]+"),
        },
        "billing_address?": {
            "line_1": text(PLAIN, 50),
            "city?": text(PLAIN, 50),
            "postal_code": text(PLAIN, 16),
            "country": text("[A-Z]{2}"),
        },
    },
    "notifications": {"return_url": URL, "status_url": URL, "cancel_url": URL},
}
TOKEN = {
    "app_id": text(PLAIN),
    "secret": text("[0-9a-f]{128}"),
    "nonce": text(PLAIN),
    "grant_type": text("client_credentials"),
}
CHARGE = {
    "account_name": text(PLAIN),
    "type": text("SALE"),
    "channel": text("CNP"),
    "capture_mode": text("AUTO"),
    "amount": AMOUNT,
    "currency": text("GBP"),
    "country": text("[A-Z]{2}"),
    "reference": text(ID, 50),
    "description": text(PLAIN, 50),
    "initiator": text("MERCHANT"),
    "stored_credential": {
        "model": text("RECURRING|INSTALLMENT|UNSCHEDULED"),
        "sequence": text("SUBSEQUENT"),
        "reason?": text("RESUBMISSION"),
    },
    "payment_method": {
        "id": text(r"PMT_\w+"),
        "entry_mode": text("ECOM"),
        "card?": {"brand_reference": text(PLAIN)},
    },
}
# Each call: its body, its query, and whether it has an idempotency key.
CALLS = {
    r"POST /accesstoken": (TOKEN, "", False),
    r"POST /links": (LINK, "", True),
    r"GET /links": (None, f"reference={ID}", False),
    r"GET /links/LNK_\w+": (None, "", False),
    r"PATCH /links/LNK_\w+": ({"status": text("INACTIVE")}, "", False),
    r"GET /transactions": (None, rf"reference={ID}&page_size=\d+", False),
    r"GET /transactions/TRN_\w+": (None, "", False),
    r"POST /transactions": (CHARGE, "", True),
    r"GET /payment-methods/PMT_\w+": (None, "", False),
    r"DELETE /payment-methods/PMT_\w+": (None, "", False),
    r"POST /transactions/TRN_\w+/refund": ({"amount": AMOUNT}, "", True),
}


def mistakes(value, form, path=""):
    """Returns the paths of the members that have another form."""
    if form is None:
        return [] if value is None else [path or "body"]
    if callable(form):
        return [] if form(value) else [path]
    if not isinstance(value, dict):
        return [path]
    names = {name.rstrip("?"): name for name in form}
    found = [f"{path}/{name}" for name in value if name not in names]
    for name, written in names.items():
        if name in value:
            found += mistakes(value[name], form[written], f"{path}/{name}")
        elif not written.endswith("?"):
            found.append(f"{path}/{name}")
    return found


def judge_requests(requests):
    seen = set()
    for request in requests:
        call = next((call for call in CALLS if re.fullmatch(call, request["call"])), None)
        assert call, f"{request['call']} is no call of the reference"
        form, query, has_key = CALLS[call]
        assert request["version"] == VERSION
        assert re.fullmatch(query, request["query"]), request["query"]
        assert bool(request["idempotency_key"]) == has_key, request["call"]
        body = request["body"]
        found = mistakes(body, form)
        assert not found, f"{request['call']}: {found}"
        if call == "POST /accesstoken":
            assert signed(body["nonce"].encode()) == body["secret"]
        if call == "POST /links":
            assert body["reference"] == body["order"]["reference"] == request["idempotency_key"]
        if call == "POST /transactions":
            assert body["reference"] == request["idempotency_key"]
        seen.add(call)
    assert seen == set(CALLS), f"no request of {set(CALLS) - seen}"
    print(f"{len(requests)} requests of {len(seen)} kinds have the form of the reference")


def judge_mistakes(requests):
    """The judge must see mistakes: a missing name, an unknown one, a value of another form."""
    link = next(one["body"] for one in requests if one["call"] == "POST /links")
    assert not mistakes(link, LINK)
    for path, value in [
        ("payer/email", None),
        ("order/amount", 4999),
        ("order/amount", "49.99"),
        ("order/transaction_configuration/capture_mode", "LATER"),
        ("name", "O\u2019Neill"),
        ("reference", "x" * 51),
        ("exempt_status", "LOW_VALUE"),
    ]:
        wrong = copy.deepcopy(link)
        *parents, name = path.split("/")
        place = wrong
        for parent in parents:
            place = place[parent]
        if value is None:
            del place[name]
        else:
            place[name] = value
        assert mistakes(wrong, LINK), f"{path} = {value} was not seen"


# --- The double --------------------------------------------------------------------------

MESSAGES = queue.Queue()


class Shop(http.server.BaseHTTPRequestHandler):
    """Takes messages, and shows a page after paying."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        MESSAGES.put((self.path, dict(self.headers), body))
        page = b"<p>Back in the shop</p>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def ask(method, url, body=None, headers=None):
    """Sends a request. Returns status, headers and body."""
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"X-GP-Version": VERSION, **(headers or {})})
    request.method = method
    try:
        answer = OPENER.open(request, timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, dict(answer.headers), answer.read()


class Api:
    """A client by the reference alone."""

    def __init__(self, address):
        self.address = address
        status, answer = self.call("POST", "/accesstoken", self.credentials())
        assert status == 200 and answer["seconds_to_expire"] > 0, answer
        assert any(one["name"] == "transaction_processing_hpp" for one in answer["scope"]["accounts"])
        self.token = answer["token"]

    @staticmethod
    def credentials(key=KEY):
        nonce = "2026-11-23T12:00:00.000Z"
        secret = signed(nonce.encode(), key)
        names = {"app_id": "app-double", "nonce": nonce, "secret": secret}
        return {**names, "grant_type": "client_credentials"}

    def call(self, method, path, body=None, key=None):
        headers = {"Content-Type": "application/json"}
        if hasattr(self, "token"):
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["x-gp-idempotency"] = key
        status, _, answer = ask(method, self.address + path, body, headers)
        return status, json.loads(answer)

    def refused(self, expected, *call, **more):
        status, answer = self.call(*call, **more)
        found = (status, answer["error_code"], answer["detailed_error_code"])
        assert found == expected, (found, expected)
        return answer["detailed_error_description"]


def new_link(link, shop):
    """Returns the shop's request for a link with a new reference, which ends in an hour."""
    made = copy.deepcopy(link)
    reference = str(uuid.uuid4())
    made["reference"] = made["order"]["reference"] = reference
    ends = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    made["expiration_date"] = ends.strftime("%Y-%m-%dT%H:%M:%SZ")
    for name in ["return", "status", "cancel"]:
        made["notifications"][f"{name}_url"] = f"{shop}/{name}"
    return made


def judge_api(api, link, shop):
    api.refused((403, "ACTION_NOT_AUTHORIZED", "40004"), "POST", "/accesstoken", api.credentials("x"))
    for path, refusal in [
        (["reference"], (400, "MANDATORY_DATA_MISSING", "40005")),
        (["order", "amount"], (400, "MANDATORY_DATA_MISSING", "40005")),
        (["payer", "email"], (400, "MANDATORY_DATA_MISSING", "50012")),
    ]:
        wrong = new_link(link, shop)
        place = wrong
        for name in path[:-1]:
            place = place[name]
        del place[path[-1]]
        api.refused(refusal, "POST", "/links", wrong)
    other = {**new_link(link, shop), "account_name": "transaction_processing"}
    api.refused((403, "ACTION_NOT_AUTHORIZED", "40212"), "POST", "/links", other)
    late = {**new_link(link, shop), "expiration_date": "2099-01-01T00:00:00Z"}
    api.refused((400, "INVALID_REQUEST_DATA", "40213"), "POST", "/links", late)
    token, api.token = api.token, "another"
    api.refused((401, "NOT_AUTHENTICATED", "40001"), "GET", "/links?reference=1")
    api.token = token


def make_link(api, link, shop):
    body = new_link(link, shop)
    status, made = api.call("POST", "/links", body, key=body["reference"])
    assert status == 200 and made["status"] == "ACTIVE" and made["id"].startswith("LNK_"), made
    states = [one["status"] for one in made["transactions"]["transaction_list"]]
    assert states == ["INITIATED"]
    why = api.refused((409, "DUPLICATE_ACTION", "40039"), "POST", "/links", body, key=body["reference"])
    assert f"id={made['id']}" in why, why
    status, found = api.call("GET", f"/links?reference={body['reference']}")
    assert [one["id"] for one in found["links"]] == [made["id"]]
    status, found = api.call("GET", f"/transactions?reference={body['reference']}")
    assert found["total_record_count"] == 0, found
    return body, made


def page_of(made):
    """Follows the redirect of a link to its page."""
    status, headers, _ = ask("GET", made["url"])
    assert status == 302, status
    page = urllib.parse.urljoin(made["url"], headers["Location"])
    status, headers, shown = ask("GET", page)
    assert status == 200 and b"Card number" in shown and "X-Frame-Options" not in headers
    return page


def pays(page, form):
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    status, _, shown = ask("POST", page, urllib.parse.urlencode(form).encode(), headers)
    assert status == 200
    return shown.decode()


def message(path):
    """Returns the next message, which must have this path."""
    sent_to, found = any_message(False)
    assert sent_to == path, sent_to
    return found


def any_message(is_packed):
    """Returns the next message and its path, after a check of its signature."""
    path, headers, body = MESSAGES.get(timeout=10)
    if is_packed:
        assert headers["Content-Encoding"] == "gzip"
        body = gzip.decompress(body)
    assert headers["X-GP-Signature"] == signed(body)
    return path, json.loads(body)


def judge_sale(api, link, shop):
    body, made = make_link(api, link, shop)
    page = page_of(made)
    assert "declined" in pays(page, {"card": "4263970000005262", "decline": "1"})
    assert message("/status")["status"] == "DECLINED"
    assert "accepted" in pays(page, {"card": "4263 9700 0000 5262"})
    paid = message("/status")
    assert paid["status"] == "CAPTURED" and paid["payment_method"]["result"] == "00"
    assert paid["action"]["result_code"] == "SUCCESS" and paid["amount"] == body["order"]["amount"]
    assert paid["link_data"]["reference"] == paid["reference"] == body["reference"]
    status, found = api.call("GET", f"/links/{made['id']}")
    assert found["status"] == "PAID", found
    status, found = api.call("GET", f"/transactions?reference={body['reference']}")
    assert [one["status"] for one in found["transactions"]] == ["DECLINED", "CAPTURED"]

    path, key = f"/transactions/{paid['id']}/refund", str(uuid.uuid4())
    status, refund = api.call("POST", path, {"amount": "1000"}, key=key)
    assert (status, refund["type"], refund["amount"]) == (200, "REFUND", "1000"), refund
    why = api.refused((409, "DUPLICATE_ACTION", "40039"), "POST", path, {"amount": "1000"}, key=key)
    assert f"id={refund['id']}" in why, why
    api.refused((400, "INVALID_REQUEST_DATA", "40087"), "POST", path, {"amount": paid["amount"]})
    status, back = api.call("POST", f"/transactions/{paid['id']}/reversal", {"amount": paid["amount"]})
    assert back["status"] == "REVERSED" and message("/status")["status"] == "REVERSED"


def judge_challenge(api, link, shop):
    """A challenge nests a frame of a third host, whose buttons lead to the provider's result."""
    _, made = make_link(api, link, shop)
    page = page_of(made)
    shown = pays(page, {"card": "4222000001227408"})
    bank = re.search(r"<iframe[^>]* src='([^']+)'", shown).group(1)
    assert urllib.parse.urlsplit(bank).hostname != urllib.parse.urlsplit(page).hostname
    _, _, shown = ask("GET", bank)
    assert f"action='{page}'" in shown.decode()
    assert "accepted" in pays(page, {"challenge": "complete"})
    assert message("/status")["status"] == "CAPTURED"


def judge_end(api, link, shop):
    _, made = make_link(api, link, shop)
    status, ended = api.call("PATCH", f"/links/{made['id']}", {"status": "INACTIVE"})
    assert ended["status"] == "INACTIVE"
    shown = pays(urllib.parse.urljoin(made["url"], f"/hosted-payments/{made['id'][4:]}"), {})
    assert "has ended" in shown, shown


def judge_packed(api, link, shop):
    """The page comes back: the server posts to `return_url`, and shows the answer."""
    _, made = make_link(api, link, shop)
    assert "Back in the shop" in pays(page_of(made), {"card": "4263970000005262"})
    sent = dict(any_message(True) for _ in range(2))
    states = {path: one["status"] for path, one in sent.items()}
    assert states == {"/return": "PREAUTHORIZED", "/status": "PREAUTHORIZED"}, states


def with_double(binary, options, judge):
    started = [binary, "--late", "0", *options]
    double = subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        judge(Api(double.stdout.readline().split()[-1]))
    finally:
        double.stdin.close()
        double.wait(10)


def main():
    binary, fixtures = sys.argv[1:]
    with open(f"{fixtures}/signatures.json") as file:
        judge_signatures(json.load(file))
    with open(f"{fixtures}/requests.json") as file:
        requests = json.load(file)
    judge_requests(requests)
    judge_mistakes(requests)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shop = f"http://127.0.0.1:{server.server_port}"
    link = next(one["body"] for one in requests if one["call"] == "POST /links")

    def judge_all(api):
        for judge in [judge_api, judge_sale, judge_challenge, judge_end]:
            judge(api, link, shop)

    with_double(binary, [], judge_all)
    options = ["--gzip", "--back", "--reserve"]
    with_double(binary, options, lambda api: judge_packed(api, link, shop))
    print("the double answers as the reference states, and signs as hashlib does")


main()
