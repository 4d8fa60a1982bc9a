import type { CertificateCodes } from './certificate-codes.ts'
import { type CodedFactOf, codedFactsOf } from './coded-fact.ts'
import type { FileCodes } from './file-codes.ts'
import type { SignatureCodes } from './signature-codes.ts'
import type { TimestampCodes } from './timestamp-codes.ts'

/** Everything that a report warns of. */
export type WarningCodes = FileCodes & SignatureCodes & CertificateCodes & TimestampCodes

export type Warning = CodedFactOf<WarningCodes>

export const warning = codedFactsOf<WarningCodes>()
