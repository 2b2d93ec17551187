"""Stripe's own library judges what we say of Stripe:

- the requests that the shop sends (tests/fixtures/stripe/requests.json, kept current by a Rust test) have
  names and values that its types have;
- the signatures of tests/fixtures/stripe/signatures.json are good or bad by its own check;
- the double answers it as Stripe would, in objects that its types know, and signs webhooks that it
  believes.

    judge.py path/to/stripe-double path/to/tests/fixtures/stripe

It prints what it judged and ends with 1 at the first mistake.
"""

import http.server
import importlib
import json
import queue
import re
import subprocess
import sys
import threading
import unittest.mock
import urllib.error
import urllib.parse
import urllib.request

import stripe
import stripe.params as params
import stripe.params.checkout as checkout_params

from typed import judge, wrong_of

VERSION = "2026-10-28.endive"
SECRET = "whsec_double"

# --- The shop's requests -----------------------------------------------------------------

ID = r"[a-z]{2}_[A-Za-z0-9_]+"
CALLS = {
    "POST /v1/checkout/sessions": checkout_params.SessionCreateParams,
    "GET /v1/checkout/sessions": checkout_params.SessionListParams,
    f"GET /v1/checkout/sessions/{ID}": checkout_params.SessionRetrieveParams,
    f"POST /v1/checkout/sessions/{ID}/expire": checkout_params.SessionExpireParams,
    "GET /v1/customers": params.CustomerListParams,
    "GET /v1/payment_intents": params.PaymentIntentListParams,
    "POST /v1/payment_intents": params.PaymentIntentCreateParams,
    f"GET /v1/payment_intents/{ID}": params.PaymentIntentRetrieveParams,
    f"GET /v1/payment_methods/{ID}": params.PaymentMethodRetrieveParams,
    f"POST /v1/payment_intents/{ID}/cancel": params.PaymentIntentCancelParams,
    f"POST /v1/payment_methods/{ID}/detach": params.PaymentMethodDetachParams,
    "POST /v1/refunds": params.RefundCreateParams,
    "GET /v1/refunds": params.RefundListParams,
}


def nested(pairs):
    root = {}
    for name, value in pairs:
        place, keys = root, [key for key in re.split(r"[\[\]]", name) if key]
        for key in keys[:-1]:
            place = place.setdefault(key, {})
        assert keys[-1] not in place, f"{name} twice"
        place[keys[-1]] = value
    return root


def judge_requests(requests):
    seen = set()
    for request in requests:
        call = next((call for call in CALLS if re.fullmatch(call, request["call"])), None)
        assert call, f"{request['call']} is no call that is known here"
        assert request["version"] == VERSION == stripe._api_version._ApiVersion.CURRENT
        given = nested(request["pairs"])
        judge(given, CALLS[call], request["call"])
        # The library would write the same pairs.
        written = dict(stripe._encode._api_encode(given))
        assert written == dict(map(tuple, request["pairs"])), (written, request["pairs"])
        seen.add(call)
    assert seen == set(CALLS), f"no request of {set(CALLS) - seen}"
    print(f"{len(requests)} requests of {len(seen)} kinds have the library's types")


def judge_mistakes(requests):
    """The judge must see mistakes: a name, a value and a number that Stripe doesn't have."""
    call = "POST /v1/checkout/sessions"
    begun = nested(next(one["pairs"] for one in requests if one["call"] == call))
    for mistake in [
        {"receipt_email": "ann@example.org"},
        {"ui_mode": "hosted"},
        {"expires_at": "soon"},
        {"line_items": {"0": {"quantity": "1", "price_data": {"amount": "4999"}}}},
        {"payment_intent_data": {"metadata": "none"}},
    ]:
        assert wrong_of({**begun, **mistake}, CALLS[call], call), f"{mistake} was not seen"
    call = "POST /v1/payment_intents"
    charges = [nested(one["pairs"]) for one in requests if one["call"] == call]
    usages = [one["payment_method_options"]["card"]["stored_credential_usage"] for one in charges]
    assert usages == ["recurring", "installment"], usages
    mistake = {"payment_method_options": {"card": {"stored_credential_usage": "instalment"}}}
    assert wrong_of({**charges[0], **mistake}, CALLS[call], call), f"{mistake} was not seen"


# --- Signatures --------------------------------------------------------------------------


def judge_signatures(vectors):
    verdicts = set()
    for one in vectors:
        with unittest.mock.patch("time.time", return_value=one["now"]):
            good = any(believed(one, secret) for secret in one["secrets"])
        assert good == one["good"], one["name"]
        verdicts.add(good)
    assert verdicts == {True, False}
    print(f"{len(vectors)} signatures are good and bad as the library says")


def believed(one, secret):
    try:
        return stripe.WebhookSignature.verify_header(one["body"], one["header"], secret, 300)
    except stripe.SignatureVerificationError:
        return False


# --- The double --------------------------------------------------------------------------

heard = queue.Queue()


class Callback(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        heard.put((body, self.headers["Stripe-Signature"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def next_event():
    body, signature = heard.get(timeout=10)
    event = stripe.Webhook.construct_event(body, signature, SECRET)
    judge(json.loads(body)["data"]["object"], resource(event.data.object["object"]), event.type)
    plain = json.loads(body)
    del plain["data"]
    judge(plain, stripe.Event, "event")
    return event


def resource(name):
    """The class of the library for what calls itself so, such as checkout.session."""
    module, kind = stripe._object_classes.OBJECT_CLASSES[name]
    return getattr(importlib.import_module(module), kind)


def until(kind):
    while (event := next_event()).type != kind:
        pass
    return event.data.object


def post(address, **fields):
    body = urllib.parse.urlencode(fields).encode()
    opener = urllib.request.build_opener(NoRedirect)
    try:
        answer = opener.open(address, body)
    except urllib.error.HTTPError as answered:
        answer = answered
    return answer.status, answer.headers.get("Location"), answer.read().decode()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def refused(kind, call, **wanted):
    try:
        call()
    except kind as error:
        for name, value in wanted.items():
            assert getattr(error, name) == value, (name, getattr(error, name))
        return error
    raise AssertionError(f"{kind.__name__} was expected")


def order(**more):
    line = {"currency": "gbp", "unit_amount": 4999, "product_data": {"name": "Cover"}}
    return {
        "mode": "payment",
        "line_items": [{"quantity": 1, "price_data": line}],
        "adaptive_pricing": {"enabled": False},
        "client_reference_id": "ref-1",
        "payment_intent_data": {"metadata": {"ours": "1"}},
        "success_url": "https://shop.example/back?session={CHECKOUT_SESSION_ID}",
        "cancel_url": "https://shop.example/cancelled",
        **more,
    }


def judge_double(address):
    client = stripe.StripeClient(
        "sk_test_1", base_addresses={"api": address}, max_network_retries=0
    )
    sessions, refunds = client.v1.checkout.sessions, client.v1.refunds

    def shown(one):
        judge(one.to_dict(recursive=True) if hasattr(one, "to_dict") else one, type(one), one.object)
        return one

    # A session: declined, paid, and unchanged when it is read again.
    session = shown(sessions.create(order(), {"idempotency_key": "a"}))
    assert (session.status, session.payment_status, session.amount_total) == ("open", "unpaid", 4999)
    again = sessions.create(order(), {"idempotency_key": "a"})
    assert again.id == session.id
    assert again.last_response.headers["Idempotent-Replayed"] == "true"
    other = lambda: sessions.create(order(client_reference_id="ref-2"), {"idempotency_key": "a"})
    refused(stripe.IdempotencyError, other, http_status=400)
    status, _, page = post(session.url, card="4000000000000002")
    assert status == 402 and "declined" in page
    failed = until("payment_intent.payment_failed")
    assert failed.status == "requires_payment_method"
    assert failed.last_payment_error.decline_code == "generic_decline"
    assert sessions.retrieve(session.id).status == "open"
    status, back, _ = post(session.url, card="4242424242424242")
    assert (status, back) == (303, f"https://shop.example/back?session={session.id}")
    assert until("checkout.session.completed").client_reference_id == "ref-1"
    paid = shown(sessions.retrieve(session.id, {"expand": ["payment_intent"]}))
    assert (paid.status, paid.payment_status) == ("complete", "paid")
    assert paid.payment_intent.metadata["ours"] == "1"
    intent = shown(client.v1.payment_intents.retrieve(paid.payment_intent.id))
    assert (intent.status, intent.amount_received) == ("succeeded", 4999)
    refused(stripe.InvalidRequestError, lambda: sessions.expire(session.id), http_status=400)

    # A challenge, and a session that is closed.
    second = sessions.create(order())
    _, _, page = post(second.url, card="4000002760003184")
    assert "Complete" in page
    assert post(second.url, card="3184", challenge="fail")[0] == 402
    assert shown(sessions.expire(second.id)).status == "expired"
    assert until("checkout.session.expired").id == second.id
    assert post(second.url, card="4242424242424242")[0] == 200
    assert sessions.retrieve(second.id).payment_status == "unpaid"
    assert [one.id for one in sessions.list({"limit": 1}).auto_paging_iter()] == [second.id, session.id]

    # Refunds, and their limit.
    part = {"payment_intent": intent.id, "amount": 4000, "metadata": {"ours": "2"}}
    refund = shown(refunds.create(part))
    assert refund.status == "succeeded"
    assert until("refund.created").metadata["ours"] == "2"
    refused(stripe.InvalidRequestError, lambda: refunds.create(part), param="amount")
    refunds.create({"payment_intent": intent.id})
    rest = refused(
        stripe.InvalidRequestError, lambda: refunds.create({"payment_intent": intent.id})
    )
    assert rest.code == "charge_already_refunded"
    assert [one.amount for one in refunds.list({"payment_intent": intent.id}).data] == [999, 4000]

    # A payment with a slow refund, one with a failed refund, and a disputed one.
    def sold(card):
        made = sessions.create(order())
        assert post(made.url, card=card)[0] == 303
        return sessions.retrieve(made.id).payment_intent

    slow, fails, disputed = (sold(card) for card in ["4000000000007726", "4000000000005126", "4000000000000259"])
    assert refunds.create({"payment_intent": slow}).status == "pending"
    failing = refunds.create({"payment_intent": fails})
    assert failing.status == "succeeded"
    post(f"{address}/_double/later")
    assert until("refund.updated").status == "succeeded"
    assert until("refund.failed").id == failing.id
    dispute = until("charge.dispute.funds_withdrawn")
    assert dispute.payment_intent == disputed and dispute.balance_transactions[0].fee == 2000
    shown(client.v1.disputes.retrieve(dispute.id))
    post(f"{address}/_double/close-dispute", dispute=dispute.id, won="true")
    assert until("charge.dispute.closed").status == "won"

    # One payout has all movements.
    post(f"{address}/_double/pay-out")
    payout = shown(client.v1.payouts.list().data[0])
    lines = list(client.v1.balance_transactions.list({"payout": payout.id}).auto_paging_iter())
    assert sum(shown(line).net for line in lines if line.type != "payout") == payout.amount

    # Keys, faults, and missing objects.
    missing = refused(stripe.InvalidRequestError, lambda: sessions.retrieve("cs_test_no"))
    assert (missing.http_status, missing.code) == (404, "resource_missing")
    wrong_key = stripe.StripeClient("sk_live_1", base_addresses={"api": address})
    refused(stripe.AuthenticationError, lambda: wrong_key.v1.refunds.list())
    for fault, kind in [("429", stripe.RateLimitError), ("500", stripe.APIError)]:
        post(f"{address}/_double/fail", call="GET /v1/refunds", fault=fault)
        refused(kind, lambda: refunds.list())
    quick = stripe.StripeClient(
        "sk_test_1",
        base_addresses={"api": address},
        max_network_retries=0,
        http_client=stripe.RequestsClient(timeout=1),
    )
    make = lambda key: quick.v1.checkout.sessions.create(order(), {"idempotency_key": key})
    for fault in ["lost", "half", "reset"]:
        post(f"{address}/_double/fail", call="POST /v1/checkout", fault=fault)
        refused(stripe.APIConnectionError, lambda: make(fault))
        assert make(fault).id == sessions.list({"limit": 1}).data[0].id
    post(f"{address}/_double/fail", call="POST /v1/checkout", fault="fails-after")
    refused(stripe.APIError, lambda: make("broken"), http_status=500)
    error = refused(stripe.APIError, lambda: make("broken"), http_status=500)
    assert error.headers["Idempotent-Replayed"] == "true"
    print("the double answers the library as Stripe would")


def main():
    binary, fixtures = sys.argv[1:]
    with open(f"{fixtures}/requests.json") as file:
        requests = json.load(file)
    judge_requests(requests)
    judge_mistakes(requests)
    with open(f"{fixtures}/signatures.json") as file:
        judge_signatures(json.load(file))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Callback)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    callback = f"http://127.0.0.1:{server.server_port}/"
    double = subprocess.Popen(
        [binary, "--webhook", callback, "--late", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        judge_double(double.stdout.readline().split()[-1])
    finally:
        double.stdin.close()
        double.wait(10)


main()
