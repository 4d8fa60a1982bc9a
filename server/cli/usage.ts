import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readCertificates } from '#server/adapters/trust-store.ts'
import { type Config, ConfigurationError, readConfig } from '#server/config.ts'
import { isClosedToAccount } from '#server/domain/installation/closed-to-account.ts'
import { KNOWN_CONSTANCIA_ISSUERS } from '#server/domain/timestamp/constancia-issuer.ts'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import {
  givesConstancias,
  knownPlacesOf,
  knownResponders,
} from '#server/domain/trust/mexican-authorities.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** Wrong usage of a command; `message` is es-MX. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** @throws {UsageError} for unknown options, and for options with a missing or needless value */
export function readArguments<T extends Options>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(faultIn(args, options), { cause: error })
  }
}

/** Names the first option that `parseArgs` refuses; its own message is English. */
function faultIn(args: string[], options: Options): string {
  const { tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined
    if (!type) return `Este comando no tiene la opción ${rawName}.`
    // `--at --json` and `--at -5` are refused too: the value could be an option.
    const isMissing = value === undefined || (!inlineValue && /^-./.test(value))
    if (type === 'string' && isMissing) return `A la opción ${rawName} le falta su valor.`
    if (type === 'boolean' && value !== undefined) return `La opción ${rawName} no lleva valor.`
  }
  return 'Las opciones no son las que este comando espera.'
}

export type TrustedByCaller = Pick<
  VerificationPolicy,
  'anchors' | 'candidates' | 'timestampAnchors' | 'constancias' | 'responders'
>

/** The authorities named with --trust; none without it. @throws {UsageError} */
export function trustFrom(place: string | undefined, workingFolder: string): TrustedByCaller {
  if (place === undefined) return { anchors: [], candidates: [] }
  const certificates = orUsageError(
    (error) => (error instanceof Error ? error.message : String(error)),
    () => readCertificates(path.resolve(workingFolder, place)),
  )
  const trust = anchorsFromCertificates(certificates, {
    label: 'Indicada con --trust',
    forTesting: false,
    revocation: 'when-available',
    // A caller who names an authority also trusts the addresses in its certificates.
    believesAddresses: true,
  })
  if (trust.anchors.length === 0)
    throw new UsageError(`En ${place} no hay ninguna autoridad (.cer, .crt, .der, .pem).`)
  const anchors = trust.anchors.map((anchor) => ({ ...anchor, ...knownPlacesOf(anchor) }))
  const ofConstancias = anchors.filter(givesConstancias)
  return {
    ...trust,
    anchors,
    timestampAnchors: ofConstancias,
    responders: knownResponders(trust.candidates),
    constancias: { anchors: ofConstancias, issuers: KNOWN_CONSTANCIA_ISSUERS },
  }
}

/** @throws {UsageError} instead of the error of `read` */
export function orUsageError<T>(sentence: (error: unknown) => string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(sentence(error), { cause: error })
  }
}

/** Why a file cannot be read. @param named the path as the user gave it */
export const unreadable = (named: string) => (error: unknown) =>
  isClosedToAccount(error)
    ? `No se puede leer ${named}: la cuenta que ejecuta el comando no tiene permiso.`
    : `No se puede leer ${named}.`

/** Awaits a check of the installation. @throws {UsageError} instead of a {ConfigurationError} */
export async function orUsage<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error) => {
    if (error instanceof ConfigurationError) throw new UsageError(error.message, { cause: error })
    throw error
  })
}

/** The configuration of the server on whose data a command works. @throws {UsageError} */
export function configOrUsageError(): Config {
  try {
    return readConfig('start')
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}
