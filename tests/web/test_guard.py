"""Who may ask: hosts, origins, tokens and headers, with the attacks that a page on loopback meets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient

from assay.web import guard
from assay.web.guard import POLICY, Access
from tests.support.page import BEARER, TOKEN, client_of, run, write_study

pytestmark = pytest.mark.usefixtures("_no_delay")
WORKSPACE = "/api/v1/workspace"


@pytest.fixture
def _no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "WRONG_SECRET_DELAY_S", 0)


@asynccontextmanager
async def opened(root: Path, **access: Any) -> AsyncIterator[TestClient[Any, Any]]:
    """A client of a server with one run."""
    write_study(root / "experiments" / "a.jsonl")
    async with await client_of(root, **access) as client:
        yield client


async def status(client: TestClient[Any, Any], path: str = WORKSPACE, **headers: str) -> int:
    """The status of a request with the token and these headers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = await client.get(path, headers={**BEARER, **named}, allow_redirects=False)
    await response.read()
    return response.status


def test_only_exact_names_of_the_server_are_answered(tmp_path: Path):
    """A name that was pointed at this computer (DNS rebinding) is refused, even with the token."""

    async def story() -> None:
        async with opened(tmp_path) as client:
            port = client.port
            for own in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
                assert await status(client, Host=own) == 200
            for foreign in (
                "evil.example",
                f"evil.example:{port}",
                "127.0.0.1",
                f"127.0.0.1:{port + 1}",
                f"127.0.0.1.evil.example:{port}",
                f"localhost.:{port}",
                f"127.0.0.1:{port}@evil.example",
                f"0.0.0.0:{port}",
                "",
            ):
                assert await status(client, Host=foreign) == 421, foreign

    run(story())


def test_requests_of_other_sites_are_refused(tmp_path: Path):
    """By their origin, and by what the browser says about where they come from."""

    async def story() -> None:
        async with opened(tmp_path) as client:
            own = f"http://127.0.0.1:{client.port}"
            assert await status(client, Origin=own) == 200
            for foreign in (
                "https://evil.example",
                "null",
                f"https://127.0.0.1:{client.port}",
                f"http://127.0.0.1:{client.port}.evil.example",
                f"{own}/",
                "http://localhost",
            ):
                assert await status(client, Origin=foreign) == 403, foreign
            assert await status(client, Sec_Fetch_Site="cross-site") == 403
            assert await status(client, Sec_Fetch_Site="same-site") == 403
            assert await status(client, Sec_Fetch_Site="same-origin") == 200
            # a link in a chat may open the page; it does not get the data
            link = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "document"}
            assert await status(client, "/", **link) == 200
            assert (
                await status(client, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="iframe")
                == 403
            )

    run(story())


def test_without_the_token_there_is_nothing(tmp_path: Path):
    """The page asks for it, and every call is refused; a wrong one is no better."""

    async def story() -> None:
        async with opened(tmp_path) as client:
            page = await client.get("/")
            assert page.status == 401
            assert "token" in await page.text()
            for path in (WORKSPACE, "/app.js", "/api/v1/runs/a/items", "/nothing"):
                assert (await client.get(path)).status == 401, path
            for value in ("Bearer wrong", "Bearer ", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x"):
                response = await client.get(WORKSPACE, headers={"Authorization": value})
                assert response.status == 401, value
            assert (await client.get("/", params={"token": "wrong"})).status == 403

    run(story())


def test_the_token_in_the_address_becomes_a_cookie(tmp_path: Path):
    """It is named by the port, cannot be read by scripts, and is still good after a restart."""

    async def story() -> None:
        async with opened(tmp_path) as client:
            entered = await client.get("/", params={"token": TOKEN}, allow_redirects=False)
            again = Access(port=client.port or 0, token=TOKEN)
            assert (entered.status, entered.headers["Location"]) == (
                303,
                f"/?key={again.change_key}",
            )
            assert TOKEN not in again.change_key
            cookie = entered.cookies[f"assay-{client.port}"]
            assert (cookie["samesite"], cookie["httponly"], cookie["path"]) == ("Strict", True, "/")
            assert TOKEN not in cookie.value
            assert (await client.get(WORKSPACE)).status == 200
            assert again.cookie_value == cookie.value
            other = {"Cookie": f"assay-1={cookie.value}"}
            client.session.cookie_jar.clear()
            assert (await client.get(WORKSPACE, headers=other)).status == 401

    run(story())


def test_a_password_opens_the_page_by_its_form(tmp_path: Path):
    """The form must come from the page itself."""

    async def story() -> None:
        name = "lab.example"
        async with opened(tmp_path, password="correct horse battery", hosts=(name,)) as client:
            headers = {"Host": name, "Origin": f"https://{name}"}
            form = {"secret": "correct horse battery"}
            for wrong in ({**headers, "Origin": "https://evil.example"}, {"Host": name}):
                assert (await client.post("/login", data=form, headers=wrong)).status == 403
            refused = await client.post("/login", data={"secret": "no"}, headers=headers)
            assert refused.status == 403
            entered = await client.post("/login", data=form, headers=headers, allow_redirects=False)
            assert entered.status == 303
            bearer = {**headers, "Authorization": "Bearer correct horse battery"}
            assert (await client.get(WORKSPACE, headers=bearer)).status == 200

    run(story())


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_the_server_only_reads(tmp_path: Path, method: str):
    """No other method does anything, not even to a path that exists."""

    async def story() -> None:
        async with opened(tmp_path) as client:
            headers = {**BEARER, "Origin": f"http://127.0.0.1:{client.port}"}
            assert (await client.request(method, WORKSPACE, headers=headers)).status == 405

    run(story())


CHANGE = {"X-Assay-Request": "1", "Content-Type": "application/json"}


def test_a_change_needs_token_origin_header_and_json(tmp_path: Path):
    """What a form, a link or a script of another site can send is refused before anything is done."""

    async def story() -> None:
        async with opened(tmp_path, is_read_only=False) as client:
            own = {**BEARER, **CHANGE, "Origin": f"http://127.0.0.1:{client.port}"}
            path = "/api/v1/nothing/of/this/name"

            async def post(headers: dict[str, str], **more: Any) -> int:
                return (await client.post(path, headers=headers, data=b"{}", **more)).status

            assert await post(own) == 404  # it passed the guard
            for missing, code in (
                ("Authorization", 401),
                ("Origin", 403),
                ("X-Assay-Request", 403),
                ("Content-Type", 415),
            ):
                headers = {name: value for name, value in own.items() if name != missing}
                assert await post(headers, skip_auto_headers=["Content-Type"]) == code, missing
            for name, value, code in (
                ("Authorization", "Bearer wrong", 401),
                ("Origin", "https://evil.example", 403),
                ("Origin", "null", 403),
                ("X-Assay-Request", "0", 403),
                ("Content-Type", "text/plain", 415),
                ("Content-Type", "application/x-www-form-urlencoded", 415),
                ("Sec-Fetch-Site", "same-site", 403),
                ("Sec-Fetch-Site", "cross-site", 403),
                ("Host", "evil.example", 421),
            ):
                assert await post({**own, name: value}) == code, (name, value)
            for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
                assert (await client.request(method, path, headers=own)).status == 405

    run(story())


def test_the_cookie_alone_changes_nothing(tmp_path: Path):
    """Cookies ignore ports: another service of this computer that the browser visits gets them."""

    async def story() -> None:
        secret = "correct horse battery"
        async with opened(tmp_path, is_read_only=False, password=secret) as client:
            own = {**CHANGE, "Origin": f"http://127.0.0.1:{client.port}"}
            entered = await client.post(
                "/login",
                data={"secret": secret},
                headers={"Origin": own["Origin"]},
                allow_redirects=False,
            )
            key = entered.headers["Location"].removeprefix("/?key=")
            cookie = entered.cookies[f"assay-{client.port}"].value
            assert (await client.get(WORKSPACE)).status == 200

            async def post(**headers: str) -> tuple[int, str]:
                answer = await client.post("/api/v1/no", headers={**own, **headers}, data=b"{}")
                return answer.status, await answer.text()

            code, said = await post()
            assert code == 401
            assert "open the address that assay view printed again" in said
            for wrong in (cookie, secret, f"{key}x", ""):
                assert (await post(Authorization=f"Bearer {wrong}"))[0] == 401
            for right in (key, TOKEN):  # it passed the guard
                assert (await post(Authorization=f"Bearer {right}"))[0] == 404

    run(story())


def test_the_page_never_takes_a_key_that_is_not_its_own(tmp_path: Path):
    """A link of another site cannot put a wrong key into the browser, and the form stays at hand."""

    async def story() -> None:
        async with opened(tmp_path) as client:
            key = Access(port=client.port or 0, token=TOKEN).change_key
            assert await status(client, f"/?key={key}") == 200
            assert await status(client, "/?key=wrong") == 303
            assert (await client.get("/", params={"key": key})).status == 401
            form = await client.get("/login")
            assert (form.status, "token or password" in await form.text()) == (200, True)

    run(story())


def test_every_answer_has_strict_headers(tmp_path: Path):
    """Refusals too; no inline code, no frames, no types by guessing, nothing kept."""

    async def story() -> None:
        async with opened(tmp_path) as client:
            for path, headers in ((WORKSPACE, BEARER), ("/", BEARER), ("/", {}), ("/no", BEARER)):
                answer = await client.get(path, headers=headers)
                assert answer.headers["Content-Security-Policy"] == POLICY
                assert answer.headers["X-Frame-Options"] == "DENY"
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Cache-Control"] == "no-store"
                assert "Access-Control-Allow-Origin" not in answer.headers
            assert "unsafe" not in POLICY
            assert "frame-ancestors 'none'" in POLICY

    run(story())


def test_wrong_guesses_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Sending them at the same time is no faster, and only some may wait."""
    monkeypatch.setattr(guard, "WRONG_SECRET_DELAY_S", 0.01)
    monkeypatch.setattr(guard, "MOST_GUESSES", 3)
    waiting, most = 0, 0
    real_sleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        nonlocal waiting, most
        waiting += 1
        most = max(most, waiting)
        await real_sleep(seconds)
        waiting -= 1

    monkeypatch.setattr(guard.asyncio, "sleep", sleep)

    async def story() -> None:
        async with opened(tmp_path, password="correct horse battery") as client:
            guesses = [status(client, f"/?token=wrong{number}") for number in range(9)]
            found = await asyncio.gather(*guesses)
            assert set(found) == {403, 429}
            assert found.count(403) >= 3
            wrong = {
                "Authorization": "Bearer correct horse battery"
            }  # the password is for the form
            assert (await client.get(WORKSPACE, headers=wrong)).status == 401
            assert await status(client, "/?token=correct horse battery") == 303

    run(story())
    assert most == 1


def test_wrong_guesses_never_lock_the_token_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """While as many guesses wait as may, the token is let in; it is random and needs no delay."""
    monkeypatch.setattr(guard, "MOST_GUESSES", 0)

    async def story() -> None:
        async with opened(tmp_path) as client:
            assert await status(client, "/?token=wrong") == 429
            assert await status(client, f"/?token={TOKEN}") == 303

    run(story())


def test_the_cookie_is_secure_behind_a_proxy_with_tls(tmp_path: Path):
    """Only a proxy in front of a named host is believed."""

    async def story() -> None:
        async with opened(tmp_path, hosts=("lab.example",)) as client:
            assert "token or password" in (await (await client.get("/")).text())
            for host, proto, is_secure in (
                ("lab.example", "https", True),
                ("lab.example", "http", False),
                (f"127.0.0.1:{client.port}", "https", False),
            ):
                answer = await client.get(
                    f"/?token={TOKEN}",
                    headers={"Host": host, "X-Forwarded-Proto": proto},
                    allow_redirects=False,
                )
                cookie = answer.headers["Set-Cookie"]
                assert ("Secure" in cookie) is is_secure, (host, proto)

    run(story())
