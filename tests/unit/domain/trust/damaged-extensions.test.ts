import { beforeAll, expect, test } from 'vitest'
import { extension } from '#server/demo/certificate-minting.ts'
import { DerError } from '#server/domain/asn1/der.ts'
import { explicit, implicit, integer, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import { policyStatementsOf } from '#server/domain/trust/certificate-policies.ts'
import { areNamesAllowed, nameConstraintsOf } from '#server/domain/trust/name-constraints.ts'
import { doPoliciesHold } from '#server/domain/trust/policy-rules.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import {
  chainKeys,
  isAuthority,
  mintChain,
  nameFrom,
} from '#tests/support/authorities/certificate-chains.ts'

const text = (tag: number, value: string) => implicit(tag, Buffer.from(value, 'latin1'))
const bases = [
  text(1, '.notaria.mx'),
  text(2, 'notaria.mx'),
  explicit(4, nameFrom('O=Good,OU=Notary')),
  text(6, '.notaria.mx'),
  implicit(7, Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0)),
]
const names = [
  text(1, 'ana@a.notaria.mx'),
  text(2, 'a.notaria.mx'),
  explicit(4, nameFrom('O=Good,OU=Notary,CN=Ana')),
  text(6, 'https://a.notaria.mx/'),
  implicit(7, Uint8Array.of(10, 1, 2, 3)),
]

let chain: Certificate[]
beforeAll(async () => {
  const subtrees = explicit(0, ...bases.map((base) => sequence(base)))
  const policies = extension('2.5.29.32', sequence(sequence(oid('1.2.3.1'))))
  const mapping = sequence(sequence(oid('1.2.3.1'), oid('1.2.3.2')))
  chain = mintChain(await chainKeys(), [
    {},
    {
      extensions: [
        ...isAuthority(),
        extension('2.5.29.30', sequence(subtrees), true),
        policies,
        extension('2.5.29.33', mapping, true),
        extension('2.5.29.36', sequence(implicit(0, Uint8Array.of(1)))),
        extension('2.5.29.54', integer(0)),
      ],
    },
    {
      name: 'O=Good,OU=Notary,CN=Ana',
      extensions: [extension('2.5.29.17', sequence(...names)), policies],
    },
  ])
}, 60_000)

/** The chain with one bit of one extension of one certificate changed, for every bit. */
function* damaged(index: number): Generator<Certificate[]> {
  const certificate = chain[index] as Certificate
  for (const [number, one] of certificate.extensions.entries())
    for (let bit = 0; bit < one.value.length * 8; bit++) {
      const value = Uint8Array.from(one.value)
      value[bit >> 3] = (value[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const extensions = certificate.extensions.with(number, { ...one, value })
      yield chain.with(index, { ...certificate, extensions })
    }
}

/** The answer; undefined when the bytes cannot be read, which is the only error there may be. */
function answerOf<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

test('all of the names are allowed before they are damaged', () => {
  const [, authority, leaf] = chain as [Certificate, Certificate, Certificate]
  expect(
    areNamesAllowed(leaf, [nameConstraintsOf(authority) ?? { permitted: [], excluded: [] }]),
  ).toBe(true)
})

test.each([1, 2])(
  'damaged extensions of certificate %i are read or refused, and nothing else',
  (index) => {
    let asked = 0
    for (const [anchor, authority, leaf] of damaged(index) as Generator<
      [Certificate, Certificate, Certificate]
    >) {
      asked += 1
      answerOf(() => policyStatementsOf(authority))
      answerOf(() => doPoliciesHold([leaf, authority, anchor], { requireExplicit: true }))
      answerOf(() =>
        areNamesAllowed(leaf, [nameConstraintsOf(authority) ?? { permitted: [], excluded: [] }]),
      )
    }
    expect(asked).toBeGreaterThan(500)
  },
)
