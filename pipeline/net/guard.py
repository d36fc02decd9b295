"""Which addresses may be asked: http and https only, and no private network unless the analyst named the host.

A name is checked where it is connected to, after resolving and on the address itself, so that a name that resolves
to a private address (or does so the second time) gets no further than any other.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from pipeline.errors import FetchError

PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal", ".lan", ".home.arpa")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def host_port(url: str) -> tuple[str, int]:
    """Lower-case host and port of an http(s) address. Raises FetchError for any other address."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise FetchError(f"not a web address: {url[:100]!r}", status="bad response") from None
    if parts.scheme not in PORTS or not host:
        raise FetchError(f"refused: {url[:100]!r} is no http or https address", status="bad response")
    return host.lower(), port or PORTS[parts.scheme]


def public(address: str) -> bool:
    """Whether an IP address belongs to the public internet, seen through the IPv6 forms that carry an IPv4 one."""
    ip: Address | None = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip in _NAT64:
            ip = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        else:
            ip = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else ip)
    assert ip is not None
    return ip.is_global and not ip.is_multicast


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def loopback(host: str) -> bool:
    """Whether a host, as written, is this machine."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host.partition("%")[0]).is_loopback)


def refuse_private(host: str, addresses: list[str]) -> None:
    """Raise FetchError unless every address a host resolves to is public."""
    if not addresses or not all(public(address) for address in addresses):
        raise FetchError(
            f"refused: {host} is an address of a private network; name it in the configuration to allow it",
            status="bad response",
        )


def refuse_local_name(host: str) -> None:
    """What can be told from a name alone, for requests that a proxy resolves."""
    if is_address(host):
        refuse_private(host, [host])
    elif host == "localhost" or host.endswith(_LOCAL_NAMES) or "." not in host:
        refuse_private(host, [])
