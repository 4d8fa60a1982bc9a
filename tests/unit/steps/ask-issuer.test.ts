import { expect, test } from 'vitest'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { AuthorityQuestion } from '#server/ports/revocation-source.ts'
import { askIssuer } from '#server/steps/signing/ask-issuer.ts'
import type { System } from '#server/system.ts'

const [OWN, ISSUER, ROOT] = [1, 2, 3].map((byte) => Uint8Array.of(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const POLICY = { at: 0 } as VerificationPolicy
const EVIDENCE = { ocsp: [Uint8Array.of(9)], crls: [] }

const question = (
  certificate: Uint8Array,
  issuer: Uint8Array,
  [addresses, lists]: [string[], string[]],
): AuthorityQuestion => ({ certificate, issuer, addresses, lists, request: Uint8Array.of(0) })

/** A system that finds these questions, and notes what it is asked. */
function asking(questions: readonly AuthorityQuestion[]) {
  const seen: Record<string, unknown[]> = { about: [], asked: [], paths: [], policies: [] }
  const pdf = {
    questionsAbout: async (certificates: Uint8Array[]) => {
      seen.about?.push(certificates)
      return questions
    },
    signersRevocation: async (path: Uint8Array[], policy: VerificationPolicy) => {
      seen.paths?.push(path)
      seen.policies?.push(policy)
      return { status: 'good' }
    },
  }
  const revocation = {
    answersTo: async (asked: AuthorityQuestion[]) => {
      seen.asked?.push(asked)
      return EVIDENCE
    },
  }
  return { system: { pdf, revocation } as unknown as Pick<System, 'pdf' | 'revocation'>, seen }
}

test('issuer: is asked about the certificate alone, and its answer is judged with the policy', async () => {
  const own = question(OWN, ISSUER, [['http://ocsp.example'], []])
  const above = question(ISSUER, ROOT, [['http://ocsp.example'], []])
  const { system, seen } = asking([above, own])
  expect(await askIssuer(system, OWN, POLICY)).toEqual({ status: 'good' })
  expect(seen).toEqual({
    about: [[OWN]],
    asked: [[own]],
    paths: [[OWN, ISSUER]],
    policies: [{ ...POLICY, evidence: EVIDENCE }],
  })
})

test.each<[string, [string[], string[]]]>([
  ['a responder', [['http://ocsp.example'], []]],
  ['a list', [[], ['http://lists.example']]],
  ['both', [['http://ocsp.example'], ['http://lists.example']]],
])('issuer: is asked if it has %s', async (_, places) => {
  const { system } = asking([question(OWN, ISSUER, places)])
  expect(await askIssuer(system, OWN, POLICY)).toEqual({ status: 'good' })
})

test.each<[string, AuthorityQuestion[]]>([
  ['has no place to ask', [question(OWN, ISSUER, [[], []])]],
  ['is not known', [question(ISSUER, ROOT, [['http://ocsp.example'], []])]],
])('issuer that %s: no authority is asked', async (_, questions) => {
  const { system, seen } = asking(questions)
  expect(await askIssuer(system, OWN, POLICY)).toEqual({ status: 'not-askable' })
  expect(seen.asked).toEqual([])
})
