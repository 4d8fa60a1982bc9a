import { beforeAll, expect, test } from 'vitest'
import { extension } from '#server/demo/certificate-minting.ts'
import type { KeyPair } from '#server/demo/certification-authority.ts'
import { implicit, integer, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import type { PolicyRequirements } from '#server/domain/trust/policy-rules.ts'
import {
  chainKeys,
  isAuthority,
  judgedChain,
  type Link,
  mintChain,
  openSslAccepts,
} from '#tests/support/authorities/certificate-chains.ts'

/*
 * Certificate policies are hard to reason about. Random chains, the same ones every time, must
 * mean the same to OpenSSL.
 */

const CHAINS = 60
const POLICIES = ['1.2.3.1', '1.2.3.2', '1.2.3.3']
const ANY = '2.5.29.32.0'

let keys: KeyPair[]
beforeAll(async () => {
  keys = await chainKeys()
}, 60_000)

/** Numbers from 0 up to, not including, `below`; always the same ones. @see mulberry32 */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
type Chance = ReturnType<typeof chance>

function randomLink(roll: Chance, isLeaf: boolean, index: number, hasMappings: boolean): Link {
  const pick = () => POLICIES[roll(POLICIES.length)] as string
  const isRenewal = index > 1 && !isLeaf && roll(4) === 0
  const policies = new Set([pick(), pick(), ...(roll(3) === 0 ? [ANY] : [])])
  const count = (number: number) =>
    roll(4) === 0 ? [implicit(number, Uint8Array.of(roll(3)))] : []
  const constraints = [...count(0), ...count(1)]
  const mappings =
    isLeaf || !hasMappings || roll(3) === 0
      ? []
      : [[pick(), pick()] as const, [pick(), pick()] as const]
  return {
    ...(isRenewal ? { name: `CN=Link ${index - 1},O=Test` } : {}),
    extensions: [
      ...(isLeaf ? [] : isAuthority()),
      ...(roll(8)
        ? [extension('2.5.29.32', sequence(...[...policies].map((id) => sequence(oid(id)))))]
        : []),
      ...(mappings.length
        ? [
            extension(
              '2.5.29.33',
              sequence(...mappings.map(([a, b]) => sequence(oid(a), oid(b)))),
              true,
            ),
          ]
        : []),
      ...(constraints.length ? [extension('2.5.29.36', sequence(...constraints), true)] : []),
      ...(!hasMappings && roll(3) === 0 ? [extension('2.5.29.54', integer(roll(3)), true)] : []),
    ],
  }
}

function randomRequirements(roll: Chance, hasMappings: boolean): PolicyRequirements {
  return {
    requireExplicit: roll(4) > 0,
    inhibitMapping: roll(6) === 0,
    inhibitAny: !hasMappings && roll(6) === 0,
    ...(roll(2) ? { acceptable: [POLICIES[roll(3)] as string] } : {}),
  }
}

test(`${CHAINS} chains mean the same to OpenSSL`, () => {
  const answers = { found: 0, refused: 0 }
  for (let seed = 1; seed <= CHAINS; seed++) {
    const roll = chance(seed)
    const length = 3 + roll(3)
    // Not both in one chain: OpenSSL maps "any policy" where it is forbidden, RFC 5280, 6.1.4 (b)(1) does not.
    const hasMappings = roll(2) === 0
    const links = Array.from({ length }, (_, index) =>
      index === 0 ? {} : randomLink(roll, index === length - 1, index, hasMappings),
    )
    const requirements = randomRequirements(roll, hasMappings)
    const chain = mintChain(keys, links)
    const answer = judgedChain(chain, requirements)
    const { accepts, why } = openSslAccepts(chain, requirements)
    expect(answer === 'found', `chain ${seed}: ${answer}; ${why}`).toBe(accepts)
    answers[accepts ? 'found' : 'refused'] += 1
  }
  // Chance gave something of both.
  expect(Math.min(answers.found, answers.refused)).toBeGreaterThan(CHAINS / 6)
}, 200_000)
