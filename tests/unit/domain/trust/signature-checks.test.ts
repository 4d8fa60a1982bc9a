import { expect, test } from 'vitest'
import { findPath, pathIndicationOf } from '#server/domain/trust/path.ts'
import { signatureChecks } from '#server/domain/trust/signature-checks.ts'
import { certificateMesh } from '#tests/support/authorities/certificate-mesh.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

const SMALL = { bits: 1024, exponentBits: 24 }

test('a question that was asked before costs nothing; one too many has no answer', async () => {
  const { people, authorities } = await certificateMesh({ people: 2, authorities: 2, ...SMALL })
  const [ana, luis] = people
  const [first, second] = authorities
  if (!ana || !luis || !first || !second) throw new Error('the mesh is too small')
  const checks = signatureChecks(3)
  for (let round = 0; round < 3; round += 1) {
    expect(checks.check(ana, first)).toMatchObject({ isVerified: false })
    expect(checks.check(ana, { ...second })).toMatchObject({ isVerified: false })
    expect(checks.check(luis, first)).toMatchObject({ isVerified: false })
    expect(checks.check(luis, second)).toBeUndefined()
  }
})

test('a question that was asked before is answered without another look at the signature', async () => {
  const { people, authorities } = await certificateMesh({ people: 1, authorities: 1, ...SMALL })
  const [person, authority] = [people[0], authorities[0]]
  if (!person || !authority) throw new Error('the mesh is too small')
  const checks = signatureChecks(1)
  const first = checks.check(person, authority)
  expect(first).toMatchObject({ isVerified: false })
  expect(checks.check({ ...person }, { ...authority })).toBe(first)
})

test('searches that share a budget end together, and say why', async () => {
  const { people, authorities } = await certificateMesh({ people: 3, authorities: 10, ...SMALL })
  const checks = signatureChecks(15)
  const reasons = people.map((leaf) => {
    const options = { anchors: [], candidates: authorities, at: TEST_NOW, checks }
    const found = findPath(leaf, options)
    return found.kind === 'none' ? found.reason : found.kind
  })
  expect(reasons).toEqual(['bad-signature', 'too-many-attempts', 'too-many-attempts'])
  expect(pathIndicationOf('too-many-attempts')).toBe('CERTIFICATE_CHAIN_GENERAL_FAILURE')
})

test('a path through an unsupported key is refused with that reason', async () => {
  const keys = { bits: 16_384, exponentBits: 64 }
  const { people, authorities } = await certificateMesh({ people: 1, authorities: 3, ...keys })
  const [leaf] = people
  if (!leaf) throw new Error('the mesh is too small')
  const found = findPath(leaf, { anchors: [], candidates: authorities, at: TEST_NOW })
  expect(found).toMatchObject({ kind: 'none', reason: 'unsupported-key' })
  expect(pathIndicationOf('unsupported-key')).toBe('CERTIFICATE_CHAIN_GENERAL_FAILURE')
})
