import { type CodedFactOf, codedFactsOf, type NoParameters } from './coded-fact.ts'
import type { Warning } from './warning.ts'

type OfKind = { kind: 'constancia' | 'timestamp' }

/** The verdict about a constancia, or a timestamp beside a file, in one sentence. */
export type ConstanciaCodes = {
  /** It proves that the file existed at its time. */
  'file-existed': OfKind
  /** It proves that an earlier revision existed, and nothing of what was added since. */
  'earlier-revision-existed': OfKind & { bytes: number }
  /** The authority refused to issue it. */
  'constancia-refused': NoParameters
  /** It cannot be read. */
  'constancia-unreadable': NoParameters
  /** It is not over a SHA-256 digest. */
  'constancia-digest-unsupported': OfKind
  /** It is over another file. */
  'constancia-of-other-file': OfKind
  /** No known issuer works under its policy. */
  'constancia-policy-unconfirmed': { policy: string }
}

/** Where the timestamp in it does not count, the reason. */
export type ConstanciaHeadline = CodedFactOf<ConstanciaCodes> | Warning

export const constanciaHeadline = codedFactsOf<ConstanciaCodes>()
