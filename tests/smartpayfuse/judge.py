"""Libraries of others judge what we say of Smartpay Fuse:

- django-oscar-cybersource signs the published vectors and our forms (tests/fixtures/smartpayfuse) alike;
- PyJWT believes our tokens, and Cybersource's own library makes the same claims of the same calls;
- the models of Cybersource's library know each member of our REST bodies;
- Cybersource's library and jwcrypto open our encrypted bodies, and our vectors have the bytes of hashlib and
  cryptography; the double opens bodies that the library encrypts, and seals answers that it opens;
- the double takes a form that django-oscar-cybersource signs, and signs answers that it believes; the
  double takes tokens of PyJWT, and answers in members that Cybersource's models know.

    judge.py path/to/smartpayfuse-double path/to/tests/fixtures/smartpayfuse

It prints what it judged and ends with 1 at the first mistake.
"""

import base64
import hashlib
import html.parser
import json
import queue
import re
import subprocess
import sys
import threading
import time
import types
import urllib.error
import urllib.parse
import urllib.request
import uuid
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt

# The signer names one exception of Django.
django = types.ModuleType("django.core.exceptions")
django.SuspiciousOperation = type("SuspiciousOperation", (Exception,), {})
for name in ["django", "django.core"]:
    sys.modules[name] = types.ModuleType(name)
sys.modules["django.core.exceptions"] = django

# First, because its parts import each other.
import CyberSource.models  # noqa: E402, F401
from authenticationsdk.jwt.Token import JwtSignatureToken  # noqa: E402
from authenticationsdk.util.MLEUtility import MLEUtility  # noqa: E402
from cybersource.signature import SecureAcceptanceSigner  # noqa: E402
from encryption import SHOP_KEY_ID, Keys, judge_vectors, opened  # noqa: E402
from members import strange  # noqa: E402

# The double's secret is short.
warnings.simplefilter("ignore", jwt.InsecureKeyLengthWarning)


def signed(fields, secret):
    names = fields["signed_field_names"].split(",")
    return SecureAcceptanceSigner(secret).sign(fields, names).decode()


def is_believed(fields, secret):
    return SecureAcceptanceSigner(secret).verify_request(types.SimpleNamespace(POST=fields))


# --- Members of REST bodies ---------------------------------------------------------------

BODIES = {
    "POST /tss/v2/searches": "CreateSearchRequest",
    r"POST /pts/v2/payments/\d+/refunds": "RefundPaymentRequest",
    r"GET /tss/v2/transactions/\d+": None,
    "POST /pts/v2/payments": "CreatePaymentRequest",
    r"DELETE /tms/v2/customers/\w+": None,
}
ANSWERS = {
    "POST /tss/v2/searches": "TssV2TransactionsPost201Response",
    r"POST /pts/v2/payments/\d+/refunds": "PtsV2PaymentsRefundPost201Response",
    r"GET /tss/v2/transactions/\d+": "TssV2TransactionsGet200Response",
    "POST /pts/v2/payments": "PtsV2PaymentsPost201Response",
}


# --- What the shop sends ------------------------------------------------------------------


def judge_signatures(vectors):
    for one in vectors:
        fields = dict(one["fields"])
        tag = SecureAcceptanceSigner(one["secret"]).sign(fields, list(fields)).decode()
        assert tag == one["signature"], one["name"]
    print(f"{len(vectors)} signatures are those of django-oscar-cybersource")


def judge_forms(forms, secret):
    for form in forms:
        assert is_believed(form, secret)
        names = form["signed_field_names"].split(",")
        assert set(names) == set(form) - {"signature"} and len(set(names)) == len(names)
        assert form["unsigned_field_names"] == "" and "unsigned_field_names" in names
        lists = ["signed_field_names", "transaction_type"]
        assert not any("," in form[name] for name in names if name not in lists)
        keeps = form["transaction_type"] == "sale,create_payment_token"
        assert keeps or form["transaction_type"] == "sale"
        assert form.get("payer_authentication_challenge_code") == ("04" if keeps else None)
        for name in names:
            changed = {**form, name: form[name] + "x"}
            assert not is_believed(changed, secret), name
    assert {form["transaction_type"] for form in forms} == {"sale", "sale,create_payment_token"}
    print(f"{len(forms)} forms are signed as django-oscar-cybersource signs them")


def judge_calls(calls, given, keys=None):
    """Judges calls. With `keys` their bodies are encrypted."""
    secret = base64.b64decode(given["rest_secret"])
    kinds = set()
    for one in calls:
        kind = next(kind for kind in BODIES if re.fullmatch(kind, one["call"]))
        kinds.add(kind)
        method, path = one["call"].split(" ")
        assert jwt.get_unverified_header(one["token"]) == {
            "typ": "JWT", "alg": "HS256", "kid": given["rest_key"]
        }
        claims = jwt.decode(one["token"], secret, ["HS256"], options={"verify_exp": False, "verify_iat": False})
        assert 0 < claims["exp"] - claims["iat"] <= 120
        # Cybersource's libraries differ: the one for Node says `digest-algorithm` and `post`, the one for
        # Python `digestAlgorithm` and `POST`. The shop does as the first.
        made = sdk_claims(method, path, one["body"], given["merchant"], keys is not None)
        made["request-method"] = made["request-method"].lower()
        if "digestAlgorithm" in made:
            made["digest-algorithm"] = made.pop("digestAlgorithm")
        changing = ["iat", "exp", "jti"]
        assert {**made, **{name: claims[name] for name in changing}} == claims, (made, claims)
        uuid.UUID(claims["jti"])
        if one["body"] is not None:
            body = json.loads(one["body"])
            if keys:
                assert list(body) == ["encryptedRequest"]
                body = json.loads(opened(body["encryptedRequest"], keys.fuse))
            wrong = strange(body, BODIES[kind])
            assert not wrong, wrong
    assert kinds == set(BODIES), f"no call of {set(BODIES) - kinds}"
    # The judge must see mistakes.
    for mistake in [{"querry": ""}, {"limit": "20"}, {"query": 1}]:
        assert strange(mistake, "CreateSearchRequest"), mistake
    amount = {"orderInformation": {"amountDetails": {"total": "1.00"}}}
    assert strange(amount, "RefundPaymentRequest") == ["orderInformation.amountDetails.total"]
    initiator = {"processingInformation": {"authorizationOptions": {"initiator": {"kind": "merchant"}}}}
    path = "processingInformation.authorizationOptions.initiator.kind"
    assert strange(initiator, "CreatePaymentRequest") == [path]
    how = "encrypted " if keys else ""
    print(f"{len(calls)} {how}calls have the claims and members of Cybersource's library")


def sdk_claims(method, path, body, merchant, is_encrypted):
    config = types.SimpleNamespace(
        use_metakey=False, merchant_id=merchant, run_environment="api.smartpayfuse.barclaycard",
        responseMleKID=SHOP_KEY_ID, log_config=None,
    )
    token = JwtSignatureToken()
    token.jwt_signature_token(config, None, method, path, body, is_encrypted)
    return token.get_payload_claim_set()


# --- The double ---------------------------------------------------------------------------

posts = queue.Queue()


class Callback(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        posts.put(dict(urllib.parse.parse_qsl(body, keep_blank_values=True)))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Page(html.parser.HTMLParser):
    """The forms and frames of a page."""

    def __init__(self, text):
        super().__init__()
        self.action, self.inputs, self.frame = None, {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.action = attributes["action"]
        elif tag == "input":
            self.inputs[attributes["name"]] = attributes["value"]
        elif tag == "iframe":
            self.frame = attributes["src"]


def send(address, fields=None, body=None, token=None, method=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = body.encode() if body is not None else None
    data = urllib.parse.urlencode(fields).encode() if fields is not None else data
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method)) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def a_form(template, callback, secret, **changes):
    form = {name: value for name, value in template.items() if name != "signature"}
    form |= {
        "transaction_uuid": uuid.uuid4().hex,
        "reference_number": str(uuid.uuid4()),
        "signed_date_time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "override_backoffice_post_url": callback,
        **changes,
    }
    return {**form, "signature": signed(form, secret)}


def judge_page(address, given, callback):
    template, secret = given["forms"][0], given["secret"]
    form = lambda **changes: a_form(template, callback, secret, **changes)

    def end(choice, card="4111111111111111", start=None):
        start = start or form()
        status, headers, text = send(f"{address}/embedded/pay", start)
        assert status == 200 and "X-Frame-Options" not in headers, text
        page = Page(text)
        _, _, text = send(address + page.action, {"choice": choice, "card": card})
        return start, Page(text)

    def answered(page, start):
        receipt, post = page.inputs, posts.get(timeout=10)
        assert receipt == post, "the browser and the server bring different answers"
        assert is_believed(receipt, secret)
        names = receipt["signed_field_names"].split(",")
        for name, value in start.items():
            about_signing = "signed_" in name or name == "signature"
            assert about_signing or receipt[f"req_{name}"] == value, name
        for name in ["decision", "req_reference_number", "req_transaction_uuid", "req_amount"]:
            assert name in names, name
        return receipt

    start, page = end("pay")
    paid = answered(page, start)
    assert page.action == start["override_custom_receipt_page"]
    assert (paid["decision"], paid["reason_code"]) == ("ACCEPT", "100")
    assert re.fullmatch(r"\d{22}", paid["transaction_id"])
    assert paid["auth_amount"] == start["amount"]
    # The same form again, within 15 minutes.
    _, page = end("pay", start=start)
    assert answered(page, start)["reason_code"] == "104"
    keeps = next(one for one in given["forms"] if "create" in one["transaction_type"])
    start = a_form(keeps, callback, secret)
    _, page = end("pay", start=start)
    kept = answered(page, start)
    assert kept["payment_token"] and "payment_token" in kept["signed_field_names"].split(",")
    start, page = end("decline")
    assert answered(page, start)["decision"] == "DECLINE"
    start, page = end("cancel")
    cancelled = answered(page, start)
    assert page.action == start["override_custom_cancel_page"]
    assert cancelled["decision"] == "CANCEL" and "transaction_id" not in cancelled

    # A challenge is a frame of another host. It comes back to the page's host within its own frame.
    for choice, decision in [("complete", "ACCEPT"), ("fail", "DECLINE")]:
        start, page = end("pay", card="4000000000001091")
        assert not page.frame.startswith(address)
        bank = Page(send(page.frame)[2])
        assert bank.action.startswith(f"{address}/authenticated/")
        back = Page(send(bank.action, {"choice": choice})[2])
        page = Page(send(address + back.action, back.inputs)[2])
        assert answered(page, start)["decision"] == decision

    # The whole page refuses frames; a wrong form is a 403.
    status, headers, _ = send(f"{address}/pay", form())
    assert (status, headers["X-Frame-Options"]) == (200, "DENY")
    old = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3600))
    wrong = [form(profile_id="0" * 8), form(access_key="0"), form(signed_date_time=old)]
    wrong += [{**form(), "amount": "0.01"}, {**form(), "unsigned": "1"}]
    for one in wrong:
        assert send(f"{address}/embedded/pay", one)[0] == 403
    print("the double's page takes signed forms, and signs answers that the library believes")
    return paid, kept


def judge_rest(address, given, paid, kept, keys=None):
    """Judges the REST API. With `keys` the bodies are encrypted."""
    secret = base64.b64decode(given["rest_secret"])
    host = address.removeprefix("http://")

    def call(method, path, body=None, key=secret, **changes):
        now = int(time.time())
        text = json.dumps(body) if body is not None else None
        encrypted = {}
        if keys:
            text = text and MLEUtility.encrypt_request_payload(keys.config, text)
            encrypted = {"v-c-response-mle-kid": SHOP_KEY_ID}
        claims = {
            "iat": now, "exp": now + 120, "request-host": host, "request-resource-path": path,
            "request-method": method.lower(), "iss": given["merchant"], "jti": str(uuid.uuid4()),
            "v-c-jwt-version": "2", "v-c-merchant-id": given["merchant"],
        }
        if text is not None:
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            claims |= {"digest": digest, "digest-algorithm": "SHA-256"}
        headers = {"kid": given["rest_key"]}
        token = jwt.encode({**claims, **encrypted, **changes}, key, "HS256", headers)
        status, _, answer = send(address + path, body=text, token=token, method=method)
        if status == 204:
            return status, None
        if keys and status != 401:
            assert MLEUtility.check_is_mle_encrypted_response(answer), answer
            answer = MLEUtility.decrypt_mle_response_payload(keys.config, answer)
        answer = json.loads(answer)
        model = next((model for kind, model in ANSWERS.items() if re.fullmatch(kind, f"{method} {path}")), None)
        if status < 300 and model:
            wrong = strange(answer, model)
            assert not wrong, wrong
        return status, answer

    def search(code):
        days = "submitTimeUtc:[NOW/DAY-2DAYS TO NOW/DAY+1DAY}"
        query = f"clientReferenceInformation.code:{code} AND {days}"
        body = {"query": query, "offset": 0, "limit": 20, "sort": "submitTimeUtc:desc"}
        status, answer = call("POST", "/tss/v2/searches", body)
        assert status == 201
        rows = answer.get("_embedded", {}).get("transactionSummaries", [])
        assert len(rows) == answer["totalCount"]
        return rows

    payment = paid["transaction_id"]
    rows = search(paid["req_reference_number"])
    flags = lambda row: {
        one["name"]: one["rFlag"] for one in row["applicationInformation"]["applications"]
    }
    # The newest is the refused second use of the form.
    assert [flags(row).get("ics_bill") for row in rows] == [None, "SOK"]
    assert rows[1]["id"] == payment
    assert rows[1]["orderInformation"]["amountDetails"]["totalAmount"] == paid["req_amount"]
    assert search(uuid.uuid4()) == []
    status, details = call("GET", f"/tss/v2/transactions/{payment}")
    assert (status, details["applicationInformation"]["status"]) == (200, "PENDING")
    assert call("GET", "/tss/v2/transactions/1")[0] == 404

    def refund(amount, code):
        details = {"totalAmount": amount, "currency": "GBP"}
        body = {"clientReferenceInformation": {"code": code}, "orderInformation": {"amountDetails": details}}
        return call("POST", f"/pts/v2/payments/{payment}/refunds", body)

    code = str(uuid.uuid4())
    status, made = refund("1.00", code)
    assert (status, made["status"]) == (201, "PENDING")
    assert [row["id"] for row in search(code)] == [made["id"]]
    status, refused = refund("100000.00", str(uuid.uuid4()))
    assert (status, refused["reason"]) == (400, "INVALID_AMOUNT")
    send(f"{address}/_double/transmit", {})
    status = lambda: call("GET", f"/tss/v2/transactions/{made['id']}")[1]["applicationInformation"]["status"]
    assert status() == "TRANSMITTED"
    send(f"{address}/_double/status", {"id": made["id"], "status": "FAILED"})
    assert status() == "FAILED"

    # A card that a payment keeps is charged without its holder, until it is removed.
    token, code = kept["payment_token"], str(uuid.uuid4())
    body = {
        "clientReferenceInformation": {"code": code},
        "processingInformation": {
            "capture": True,
            "commerceIndicator": "recurring",
            "authorizationOptions": {"initiator": {
                "type": "merchant", "storedCredentialUsed": True,
                "merchantInitiatedTransaction": {
                    "reason": "7", "previousTransactionId": kept["auth_trans_ref_no"],
                },
            }},
        },
        "paymentInformation": {"customer": {"id": token}},
        "orderInformation": {"amountDetails": {"totalAmount": "48.16", "currency": "GBP"}},
    }
    charge = lambda: call("POST", "/pts/v2/payments", body)
    status, charged = charge()
    assert (status, charged["status"]) == (201, "AUTHORIZED")
    assert [row["id"] for row in search(code)] == [charged["id"]]
    assert call("DELETE", f"/tms/v2/customers/{token}") == (204, None)
    assert charge()[0] == 400

    now = int(time.time())
    path = f"/tss/v2/transactions/{payment}"
    used = str(uuid.uuid4())
    assert call("GET", path, jti=used)[0] == 200
    wrong = [
        {"iat": now - 600, "exp": now - 480}, {"iat": now + 600, "exp": now + 720}, {"exp": now + 180},
        {"request-host": "other"}, {"request-resource-path": "/"}, {"request-method": "post"},
        {"iss": "other"}, {"v-c-merchant-id": "other"}, {"digest": "x"}, {"jti": used}, {"key": b"k" * 32},
    ]
    wrong += [{"v-c-response-mle-kid": "other"}] if keys else []
    for changes in wrong:
        status, answer = call("GET", path, **changes)
        assert status == 401 and answer["response"]["rmsg"], changes
    for fault, expected in [("502", 502), ("fails-after", 502), ("html", 502)]:
        send(f"{address}/_double/fail", {"call": "POST /tss", "fault": fault})
        token = jwt.encode({}, secret, "HS256")
        assert send(f"{address}/tss/v2/searches", body="{}", token=token)[0] == expected
    how = ", encrypted" if keys else ""
    print(f"the double's REST API answers tokens of PyJWT in members that Cybersource's models know{how}")


def judge_double(binary, options, given, callback, keys=None):
    double = subprocess.Popen(
        [binary, "--late", "0", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        address = double.stdout.readline().split()[-1]
        paid, kept = judge_page(address, given, callback)
        judge_rest(address, given, paid, kept, keys)
    finally:
        double.stdin.close()
        double.wait(10)


def main():
    binary, fixtures = sys.argv[1:]
    with open(f"{fixtures}/signatures.json") as file:
        judge_signatures(json.load(file))
    with open(f"{fixtures}/requests.json") as file:
        given = json.load(file)
    judge_forms(given["forms"], given["secret"])
    judge_calls(given["calls"], given)
    keys = Keys(f"{fixtures}/encryption")
    judge_vectors(keys)
    judge_calls(given["encrypted_calls"], given, keys)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Callback)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    callback = f"http://127.0.0.1:{server.server_port}/"
    judge_double(binary, [], given, callback)
    judge_double(binary, ["--encrypt"], given, callback, keys)


main()
