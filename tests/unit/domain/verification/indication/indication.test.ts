import { expect, test } from 'vitest'
import type { SignerFacts, SignerProblem } from '#server/domain/cms/verify-signer.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import { indicationOf, type SignatureFacts } from '#server/domain/verification/indication.ts'
import type { TrustFacts } from '#server/domain/verification/trust-facts.ts'

const cms = (changes: Partial<SignerFacts> = {}): SignerFacts =>
  ({
    isIntact: true,
    isValid: true,
    problems: [],
    certificateBinding: 'bound',
    ...changes,
  }) as never
const problem = (...problems: SignerProblem[]) => ({ cms: cms({ problems }) })
const trust = (subIndication: TrustFacts['subIndication']): Partial<SignatureFacts> => ({
  trust: { trusted: subIndication === null, subIndication } as TrustFacts,
})

const facts: SignatureFacts = {
  content: { kind: 'read', content: {} as never },
  coverage: { coverage: 'ENTIRE_FILE' },
  ...{ cms: cms(), isIntact: true, isWeak: false },
  ...{ trust: { trusted: true, subIndication: null } as TrustFacts },
  ...{ modification: 'NONE', allowed: undefined, requiresBinding: false },
  ...{ mayBeCovered: false, isWrittenOver: false },
  doubts: [],
}

const said = (changes: Partial<SignatureFacts>) => {
  const { indication, subIndication, reason } = indicationOf({ ...facts, ...changes })
  return [indication, subIndication, reason?.code]
}

test('a signature against which nothing stands passes', () => {
  const passed = ['TOTAL_PASSED', null, undefined]
  expect(said({})).toEqual(passed)
  expect(said({ modification: 'FORM_FILLING', allowed: 2 })).toEqual(passed)
  expect(said({ modification: 'ANNOTATIONS', allowed: 3 })).toEqual(passed)
  expect(said({ requiresBinding: true })).toEqual(passed)
  expect(said({ cms: cms({ certificateBinding: 'absent' }) })).toEqual(passed)
})

const unclear = warning('byte-range-missing')
const refused = warning('cms-damaged')

test.each<[string, Partial<SignatureFacts>, string, string | undefined]>([
  [
    'refused content',
    { content: { kind: 'refused', reason: refused } },
    ...(['FORMAT_FAILURE', 'cms-damaged'] as const),
  ],
  [
    'empty content',
    { content: { kind: 'empty', reason: warning('contents-empty') } },
    ...(['FORMAT_FAILURE', 'contents-empty'] as const),
  ],
  [
    'an unclear range',
    { coverage: { coverage: 'UNCLEAR', reason: unclear } },
    ...(['FORMAT_FAILURE', 'byte-range-missing'] as const),
  ],
  [
    'another digest',
    problem('message-digest-differs'),
    ...(['HASH_FAILURE', 'signed-content-differs'] as const),
  ],
  [
    'another digest, without a certificate',
    problem('message-digest-differs', 'signer-certificate-missing'),
    ...(['HASH_FAILURE', 'signed-content-differs'] as const),
  ],
  ['other content', { isIntact: false }, 'HASH_FAILURE', 'signed-content-differs'],
  [
    'a false signature',
    { cms: cms({ isValid: false, problems: ['signature-differs'] }) },
    ...(['SIG_CRYPTO_FAILURE', 'signature-differs'] as const),
  ],
  [
    'an algorithm that is not supported',
    { cms: cms({ isValid: false, problems: ['signature-algorithm-unsupported'] }) },
    ...(['SIG_CRYPTO_FAILURE', 'signature-algorithm-unsupported'] as const),
  ],
  [
    'content that is too large to check',
    { cms: cms({ isValid: false, problems: ['content-missing'] }) },
    ...(['SIG_CRYPTO_FAILURE', 'signed-content-too-large'] as const),
  ],
  [
    'a digest that its algorithm does not go with',
    { cms: cms({ isValid: false, problems: ['digest-not-allowed'] }) },
    ...(['SIG_CRYPTO_FAILURE', 'algorithms-incompatible'] as const),
  ],
  [
    'a signature that is not valid for another reason',
    { cms: cms({ isValid: false, problems: ['malformed'] }) },
    ...(['SIG_CRYPTO_FAILURE', 'signed-attributes-malformed'] as const),
  ],
  ...(
    [
      ...['message-digest-missing', 'content-type-missing', 'content-type-differs'],
      ...['attribute-ambiguous', 'signing-certificate-differs', 'signed-attributes-missing'],
      'malformed',
    ] as SignerProblem[]
  ).map((one): [string, Partial<SignatureFacts>, string, string] => [
    ...([one, problem(one)] as const),
    ...(['FORMAT_FAILURE', 'signed-attributes-malformed'] as const),
  ]),
  [
    'other changes',
    { modification: 'OTHER' },
    ...(['SIG_CONSTRAINTS_FAILURE', 'modified-after-signature'] as const),
  ],
  [
    'changes that it does not allow',
    { modification: 'FORM_FILLING', allowed: 1 },
    ...(['SIG_CONSTRAINTS_FAILURE', 'modified-after-signature'] as const),
  ],
  ['a revoked certificate', trust('REVOKED'), 'REVOKED', undefined],
  ['a certificate that began later', trust('NOT_YET_VALID'), 'NOT_YET_VALID', undefined],
])('a signature fails for %s', (_, changes, subIndication, code) => {
  expect(said(changes)).toEqual(['TOTAL_FAILED', subIndication, code])
})

test.each<[string, Partial<SignatureFacts>, string, string | undefined]>([
  [
    'annotations',
    { modification: 'ANNOTATIONS' },
    ...(['SIG_CONSTRAINTS_FAILURE', 'annotated-after-signature'] as const),
  ],
  [
    'a field over its text',
    { isWrittenOver: true, modification: 'FORM_FILLING' },
    ...(['SIG_CONSTRAINTS_FAILURE', 'written-over-after-signature'] as const),
  ],
  [
    'a look that may hide it',
    { mayBeCovered: true, allowed: 3 },
    ...(['SIG_CONSTRAINTS_FAILURE', 'annotated-after-signature'] as const),
  ],
  [
    'its first doubt',
    { doubts: [warning('signed-in-two-ways'), warning('signature-key-repeated')] },
    ...(['SIG_CONSTRAINTS_FAILURE', 'signed-in-two-ways'] as const),
  ],
  [
    'a format that is not read',
    { content: { kind: 'unsupported', reason: warning('format-unsupported', { format: 'x' }) } },
    ...(['SIG_CONSTRAINTS_FAILURE', 'format-unsupported'] as const),
  ],
  [
    'an unknown algorithm',
    { cms: undefined },
    ...(['CRYPTO_CONSTRAINTS_FAILURE', 'algorithm-unknown'] as const),
  ],
  [
    'a missing certificate',
    problem('signer-certificate-missing'),
    ...(['NO_SIGNING_CERTIFICATE_FOUND', 'signer-certificate-missing'] as const),
  ],
  [
    'a missing certificate, whatever the content',
    { ...problem('signer-certificate-missing', 'malformed'), isIntact: false },
    ...(['NO_SIGNING_CERTIFICATE_FOUND', 'signer-certificate-missing'] as const),
  ],
  [
    'a missing judgement of trust',
    { trust: undefined },
    ...(['NO_SIGNING_CERTIFICATE_FOUND', 'signer-certificate-missing'] as const),
  ],
  [
    'a key that is not supported',
    { ...problem('key-unsupported', 'malformed'), isIntact: false },
    ...(['CRYPTO_CONSTRAINTS_FAILURE', 'key-unsupported'] as const),
  ],
  [
    'a weak algorithm',
    { isWeak: true },
    ...(['CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'algorithm-weak'] as const),
  ],
  [
    'a certificate that is not bound',
    { requiresBinding: true, cms: cms({ certificateBinding: 'absent' }) },
    ...(['SIG_CONSTRAINTS_FAILURE', 'certificate-not-bound'] as const),
  ],
  [
    'an authority that is unknown',
    trust('NO_CERTIFICATE_CHAIN_FOUND'),
    ...(['NO_CERTIFICATE_CHAIN_FOUND', undefined] as const),
  ],
  ['a revocation without a proof of time', trust('REVOKED_NO_POE'), 'REVOKED_NO_POE', undefined],
])('a signature is undecided for %s', (_, changes, subIndication, code) => {
  expect(said(changes)).toEqual(['INDETERMINATE', subIndication, code])
})
