"""The encryption of REST bodies, by Cybersource's library, jwcrypto, cryptography and hashlib."""

import base64
import hashlib
import json
import types

from authenticationsdk.util.MLEUtility import MLEUtility
from cryptography import x509
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwcrypto import jwe, jwk

SHOP_KEY_ID = "shop-key-1"


class Keys:
    """The keys of the encryption, and the settings of Cybersource's library with them."""

    def __init__(self, folder):
        def read(name):
            with open(f"{folder}/{name}", "rb") as file:
                return file.read()

        self.fuse = jwk.JWK.from_pem(read("fuse_key.pem"))
        self.certificate = x509.load_pem_x509_certificate(read("fuse_certificate.pem"))
        self.vectors = json.loads(read("vectors.json"))
        self.config = types.SimpleNamespace(
            merchant_id="", key_alias="", authentication_type="jwt", log_config=None,
            mleForRequestPublicCertPath=f"{folder}/fuse_certificate.pem",
            requestMleKeyAlias="Smartpay Fuse double", responseMlePrivateKey=load_pem_private_key(read("shop_key.pem"), None),
        )


def opened(token, key):
    message = jwe.JWE()
    message.deserialize(token, key)
    return message.payload.decode()


def oaep(public, message, seed):
    """RSAES-OAEP with SHA-256 and a given seed (RFC 8017, 7.1.1)."""
    numbers = public.public_numbers()
    size = (numbers.n.bit_length() + 7) // 8

    def masked(text, seed):
        count = range(-(-len(text) // 32))
        mask = b"".join(hashlib.sha256(seed + one.to_bytes(4, "big")).digest() for one in count)
        return bytes(a ^ b for a, b in zip(text, mask))

    padding = b"\0" * (size - len(message) - 66)
    block = masked(hashlib.sha256().digest() + padding + b"\1" + message, seed)
    whole = b"\0" + masked(seed, block) + block
    return pow(int.from_bytes(whole, "big"), numbers.e, numbers.n).to_bytes(size, "big")


def judge_vectors(keys):
    """The bytes of a request by other code, and an answer that jwcrypto made."""
    vector = keys.vectors
    random = bytes.fromhex(vector["random"])
    key, nonce, seed = random[:32], random[32:44], random[44:]
    token = vector["request"]["encryptedRequest"]
    parts = token.split(".")
    header, *found = [base64.urlsafe_b64decode(part + "==") for part in parts]
    text = AESGCM(key).encrypt(nonce, vector["body"].encode(), parts[0].encode())
    assert found == [oaep(keys.certificate.public_key(), key, seed), nonce, text[:-16], text[-16:]]
    serial = MLEUtility.get_serial_number_from_certificate(keys.certificate, keys.config)
    assert json.loads(header) == {
        "alg": "RSA-OAEP-256", "enc": "A256GCM", "kid": serial, "iat": vector["now"]
    }
    assert opened(token, keys.fuse) == vector["body"]
    answer = json.dumps(vector["response"])
    assert MLEUtility.decrypt_mle_response_payload(keys.config, answer) == vector["answer"]
    print("an encrypted request has the bytes of other libraries")
