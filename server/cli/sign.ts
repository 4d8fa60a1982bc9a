import path from 'node:path'
import { type AppendedFile, stageAppended } from '#server/adapters/appended-file.ts'
import { BecameShorter } from '#server/adapters/became-shorter.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { isOneFile, openFile } from '#server/adapters/file-source.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import type { DigestedBeginning } from '#server/domain/bytes.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { signersRevocation } from '#server/domain/signing/signers-revocation.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { RevocationSource } from '#server/ports/revocation-source.ts'
import { certificateRevoked } from '#server/words/signing-refusals.ts'
import { addLongTerm } from './add-long-term.ts'
import { askAuthorities } from './ask-authorities.ts'
import { judgeInput } from './judge-input.ts'
import { readKeyOrder, withKey } from './key-options.ts'
import { type LevelOrder, readLevelOrder } from './level-options.ts'
import { acceptedUnder, type OpenedKey, type Refusal, Refused, refuse, ZONE } from './opened-key.ts'
import { complain, say } from './output.ts'
import { orSayUnwritable, removeWhenInterrupted } from './output-file.ts'
import { refusalOfSigned, type SignedIncrement, signFile } from './sign-file.ts'
import { orUsageError, readArguments, trustFrom, UsageError } from './usage.ts'

/**
 * `rubrica sign`: appends a PAdES signature of the requested level and writes the result. Our own verifier has
 * passed exactly the file that gets the name SALIDA; after any failure no file is left there.
 *
 * @returns 0 when the file was signed, 1 when it was refused, with the reason on standard error
 * @throws {UsageError}
 */
export async function sign(
  args: string[],
  workingFolder: string,
  now = systemClock.now(),
): Promise<number> {
  const asked = readOrder(args)
  const { input, output, key } = asked
  const place = (file: string) => path.resolve(workingFolder, file)
  if (place(input) === place(output) || isOneFile(place(input), place(output)))
    throw new UsageError('SALIDA debe ser otro archivo que ENTRADA.')
  const policy = { ...trustFrom(asked.trust, workingFolder), at: now }
  const authorities = asked.isOffline ? undefined : askAuthorities()
  const job = { ...asked, place, policy, authorities }
  const source = openOrSay(place(input), input)
  try {
    // A source of its own: what the signature covers is read again, so that a change in between is noticed.
    const judged = await judgeAndClose(openOrSay(place(input), input), input, policy, authorities)
    const against = refusalOfInput(judged, asked)
    if (against) return refused(against)
    const signed = await withKey(key, { place, accept: acceptedUnder(policy) }, (opened) =>
      signWith(opened, source, job),
    )
    if ('sentence' in signed) return refused(signed.sentence)
    sayResult(output, signed, judged.lines)
    return 0
  } catch (error) {
    if (!(error instanceof BecameShorter)) throw error
    return refused(changed(input))
  } finally {
    source.close()
  }
}

/** The order of the command line, with the folder, the trusted authorities and their services. */
type Job = ReturnType<typeof readOrder> & {
  place: (file: string) => string
  policy: VerificationPolicy
  authorities: RevocationSource | undefined
}

type Signed = { certificate: OpenedKey['certificate']; note: string | undefined }

/** Undefined if the file may be signed. */
function refusalOfInput(
  { refusal, isGreen, lines }: Awaited<ReturnType<typeof judgeInput>>,
  { input, isAcknowledged }: Pick<Job, 'input' | 'isAcknowledged'>,
): string | undefined {
  if (refusal) return `${input}: ${refusal}`
  return isGreen || isAcknowledged ? undefined : [...lines, NOT_ACKNOWLEDGED].join('\n')
}

/** Signs a copy, which gets its name once our verifier has passed it. */
async function signWith(
  opened: OpenedKey,
  source: ReturnType<typeof openFile>,
  { input, output, place, policy, authorities, order }: Job,
): Promise<Refusal | Signed> {
  const revocation = await revocationOf(opened, policy, authorities)
  if (revocation?.kind === 'refused') return revocation
  const staged = stageAppended(place(input), place(output))
  const stopWatching = removeWhenInterrupted(staged.temporary)
  try {
    const digested = await orSayUnwritable(output, () => staged.copied())
    if (digested.length !== source.length) return refuse(changed(input))
    const outcome = await signFile({ ...source, digested }, opened, policy, order.authority)
    if (outcome.kind === 'refused') return outcome
    const refusal = await orSayUnwritable(output, () =>
      writeSigned(staged, { digested, outcome, opened, policy, order }),
    )
    return refusal ? refuse(refusal) : { certificate: opened.certificate, note: revocation?.note }
  } finally {
    await staged.discard()
    stopWatching()
  }
}

function sayResult(output: string, { certificate, note }: Signed, judged: readonly string[]): void {
  const { rfc } = satProfileOf(certificate)
  for (const line of [...judged, ...(note ? [note] : [])]) say(line)
  say(`${output}: firmado por ${certificate.name}${rfc ? ` (RFC ${rfc})` : ''}.`)
}

async function judgeAndClose(
  source: ReturnType<typeof openFile>,
  ...asked: [input: string, policy: VerificationPolicy, authorities: RevocationSource | undefined]
) {
  try {
    return await judgeInput(source, ...asked)
  } finally {
    source.close()
  }
}

const NOT_ACKNOWLEDGED =
  'No se firmó nada. Si vio lo que se encontró en el archivo y quiere firmarlo así, agregue --acknowledge.'

/** @returns a refusal if the certificate was revoked; a note, es-MX, if that is not known */
async function revocationOf(
  { path: chain, certificate }: OpenedKey,
  policy: VerificationPolicy,
  authorities: RevocationSource | undefined,
): Promise<Refusal | { kind: 'unknown'; note: string } | undefined> {
  if (!authorities) return { kind: 'unknown', note: NOT_ASKED }
  const evidence = await authorities.answersAbout([certificate.der], policy)
  const judged = signersRevocation(chain, { ...policy, evidence })
  if (judged.status === 'revoked') return refuse(certificateRevoked(judged.revokedAt, ZONE))
  return judged.status === 'unknown' ? { kind: 'unknown', note: NOT_ANSWERED } : undefined
}

const NOT_ASKED = 'No se preguntó si su certificado fue revocado, por --offline.'
const NOT_ANSWERED = 'No se pudo saber si su certificado fue revocado: ninguna autoridad respondió.'

const changed = (input: string) => `${input} cambió mientras se firmaba.`

/** @throws {UsageError} */
function readOrder(args: string[]) {
  const { values, positionals } = readArguments(args, COMMANDS.sign.options)
  const [input, ...more] = positionals
  const { output, trust } = values
  if (!input || !output || more.length > 0)
    throw new UsageError('Faltan datos para firmar, o sobran.')
  return {
    ...{ output, trust, input, key: readKeyOrder(values), order: readLevelOrder(values) },
    isAcknowledged: values.acknowledge ?? false,
    isOffline: values.offline ?? false,
  }
}

function openOrSay(full: string, file: string) {
  return orUsageError(
    () => `No se puede leer ${file}.`,
    () => openFile(full),
  )
}

function refused(sentence: string): 1 {
  complain(sentence)
  return 1
}

/** @returns why the file was rejected; undefined if it was written */
async function writeSigned(
  staged: AppendedFile,
  signed: {
    digested: DigestedBeginning
    outcome: SignedIncrement
    opened: OpenedKey
    policy: VerificationPolicy
    order: LevelOrder
  },
): Promise<string | undefined> {
  try {
    await staged.append(signed.outcome.increment)
    const written = openFile(staged.temporary)
    try {
      const { digested, outcome, opened, policy } = signed
      const refusal = refusalOfSigned({ ...written, digested }, outcome, opened, policy)
      if (refusal) return refusal
    } finally {
      written.close()
    }
    const { fieldName } = signed.outcome
    const missing = await addLongTerm(staged, signed.order, fieldName, signed.policy)
    if (missing) return missing
    await staged.keep()
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}
