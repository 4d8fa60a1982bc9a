import type { CertificateList } from './certificate-facts.ts'
import { type FactOf, factsOf } from './fact.ts'
import type { FileList } from './file-facts.ts'
import type { SignatureList } from './signature-facts.ts'
import type { TimestampList } from './timestamp-facts.ts'

/** Everything that a report warns of. */
export type WarningList = FileList & SignatureList & CertificateList & TimestampList

export type Warning = FactOf<WarningList>

export const warning = factsOf<WarningList>()
