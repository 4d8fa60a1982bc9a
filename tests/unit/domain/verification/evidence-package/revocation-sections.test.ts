import { beforeAll, expect, test } from 'vitest'
import { after, hours, type Instant } from '#server/domain/time.ts'
import { type Chain, chainOver } from '#server/domain/verification/evidence-package/chain.ts'
import { revocationSections } from '#server/domain/verification/evidence-package/revocation-sections.ts'
import { pemOf } from '#server/domain/verification/evidence-package/section.ts'
import {
  idOf,
  ocspAnswer,
  type RevocationCast,
  revocationCast,
} from '#tests/support/authorities/revocation-answers.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

let cast: RevocationCast
let chain: Chain
beforeAll(async () => {
  cast = await revocationCast()
  const trust = { anchors: [{ certificate: cast.root }], candidates: [cast.issuing] }
  chain = chainOver(cast.leaf, trust as never, TEST_NOW, 'firmas/01-cadena.pem') as Chain
})

const EARLIER = after(TEST_NOW, hours(-3))
const answerAt = (thisUpdate: Instant, status: 'good' | 'unknown' = 'good') =>
  ocspAnswer(cast, { thisUpdate, status }).der

test('the newest good word of the authority is told once, with all that openssl needs', () => {
  const answers = [answerAt(TEST_NOW), answerAt(EARLIER)]
  const [section, ...more] = revocationSections([chain, chain], answers, 'UTC')
  expect(more).toEqual([])
  expect(section).toMatchObject({
    title: { about: 'Revocación', of: { kind: 'certificate', name: cast.leaf.name } },
    commands: [
      `openssl ocsp -respin revocacion/01.ors -issuer revocacion/01-emisor.pem -cert revocacion/01-certificado.pem -CAfile revocacion/01-cadena.pem -attime ${TEST_NOW / 1000} -no_nonce > respuesta-01.txt`,
      "grep -q -E '(^|: )good$' respuesta-01.txt",
    ],
    files: [
      { name: 'revocacion/01.ors', bytes: answers[0] },
      { name: 'revocacion/01-certificado.pem', bytes: pemOf([cast.leaf]) },
      { name: 'revocacion/01-emisor.pem', bytes: pemOf([cast.issuing]) },
      { name: 'revocacion/01-cadena.pem', bytes: chain.file.bytes },
    ],
    roots: [chain.root],
  })
  expect(section?.sentences[0]).toContain('no estaba revocado')
})

test('a revocation is told as one', () => {
  const revoked = ocspAnswer(cast, { status: { at: EARLIER } }).der
  const [section] = revocationSections([chain], [revoked], 'UTC')
  expect(section?.sentences[0]).toContain('que el certificado estaba revocado')
  expect(section?.commands[1]).toBe("grep -q -E '(^|: )revoked$' respuesta-01.txt")
})

test('an answer that knows nothing, one about another certificate and one that is none are left out', () => {
  const other = ocspAnswer(cast, { id: idOf(cast.issuing, cast.root) }).der
  expect(
    revocationSections([chain], [answerAt(TEST_NOW, 'unknown'), other, Uint8Array.of(0)], 'UTC'),
  ).toEqual([])
})

test('a root that stands alone has nothing above it that could revoke it', () => {
  const alone: Chain = { ...chain, path: [cast.root] }
  expect(revocationSections([alone], [answerAt(TEST_NOW)], 'UTC')).toEqual([])
})

test('two certificates of one authority have a section each, numbered in their order', () => {
  const responder: Chain = { ...chain, path: [cast.responder, cast.issuing] }
  const answers = [
    answerAt(TEST_NOW),
    ocspAnswer(cast, { id: idOf(cast.responder, cast.issuing) }).der,
  ]
  const names = revocationSections([chain, responder], answers, 'UTC').map(
    ({ files }) => files[0]?.name,
  )
  expect(names).toEqual(['revocacion/01.ors', 'revocacion/02.ors'])
})
