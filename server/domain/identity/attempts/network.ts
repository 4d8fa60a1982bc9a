/** A network that attempts are counted for. */
export type Network = {
  /** `203.0.113.7`, `2001:db8:1:200::/56` */
  readonly name: string
  /** How many times the attempts of the smallest network it may make. */
  readonly factor: number
}

/** A subscriber has 64 bits, often 56 or 48, and could change the network with each attempt. */
export const IPV6_NETWORKS = [
  { bits: 64, factor: 1 },
  { bits: 56, factor: 2 },
  { bits: 48, factor: 4 },
] as const

/** The networks of an address, the smallest first: an IPv4 address alone, or three sizes of IPv6 networks. */
export function networksOf(ip: string): readonly [Network, ...Network[]] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !ip.includes(':')) return [{ name: mapped ?? ip, factor: 1 }]
  const groups = firstFourGroups(ip)
  const [smallest, ...larger] = IPV6_NETWORKS
  const networkOfSize = ({ bits, factor }: (typeof IPV6_NETWORKS)[number]) => ({
    name: `${firstBits(groups, bits)}::/${bits}`,
    factor,
  })
  return [networkOfSize(smallest), ...larger.map(networkOfSize)]
}

/** The smallest network of an address: an IPv4 address, or the first 64 bits of an IPv6 address. */
export const networkOf = (ip: string): string => networksOf(ip)[0].name

function firstFourGroups(ip: string): number[] {
  const [head = '', tail = ''] = ip.split('%')[0]?.split('::') ?? []
  const front = head === '' ? [] : head.split(':')
  const back = tail === '' ? [] : tail.split(':')
  const zeros = Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back]
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16))
}

function firstBits(groups: readonly number[], bits: number): string {
  const whole = groups.slice(0, Math.ceil(bits / 16))
  const mask = bits % 16 === 0 ? 0xffff : 0xffff & (0xffff << (16 - (bits % 16)))
  return whole
    .map((group, at) => (at === whole.length - 1 ? group & mask : group).toString(16))
    .join(':')
}
