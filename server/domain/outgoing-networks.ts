import { BlockList, isIP } from 'node:net'

/** Addresses without a host of their own, of one link, and of groups: no service is there. @see RFC 6890 */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]
/** Networks of houses, offices and providers, and ways into them. @see RFC 1918; RFC 6598; RFC 4193; RFC 6052; RFC 3056 */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
]
const THIS_MACHINE = ['127.0.0.0/8', '::1/128']

/** The host of a URL as an IP address, without brackets; undefined for a name. */
export function addressIn(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? undefined : bare
}

/** Whether a host says itself that it is this machine. @see RFC 6761, 6.3 */
export function isThisMachine(hostname: string): boolean {
  const address = addressIn(hostname)
  return address ? within(THIS_MACHINE)(address) : /^(?:.*\.)?localhost\.?$/i.test(hostname)
}

/** Whether this process may connect to an IP address for a host. */
export type OutgoingNetworks = (address: string, hostname: string) => boolean

/**
 * Only public addresses: the host of a service is what an administrator or a certificate says, and it must not make
 * the server ask within the office's own network. This machine only where the host says so, not where a foreign name
 * leads here.
 *
 * @param named networks of the operator, as addresses or CIDR, in which services may be
 */
export function outgoingNetworks(named: readonly string[]): OutgoingNetworks {
  const [isNever, isPrivate, isLocal, isNamed] = [NEVER, PRIVATE, THIS_MACHINE, named].map(within)
  return (address, hostname) => {
    if (isNever!(address)) return false
    if (isLocal!(address)) return isThisMachine(hostname)
    return !isPrivate!(address) || isNamed!(address)
  }
}

/** For a program of a user, who names the services themselves. */
export const anyNetwork: OutgoingNetworks = () => true

function within(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  // An IPv4 address within IPv6 counts as itself.
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
