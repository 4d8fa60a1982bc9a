import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readCertificates } from '#server/adapters/trust-store.ts'
import { type Config, ConfigurationError, readConfig } from '#server/config.ts'
import { KNOWN_CONSTANCIA_ISSUERS } from '#server/domain/timestamp/constancia-issuer.ts'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import {
  givesConstancias,
  knownPlacesOf,
  knownResponders,
} from '#server/domain/trust/mexican-authorities.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** The command was not given as it must be; `message` is for people, es-MX. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws {UsageError} for options that the command does not have */
export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: T,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError('Las opciones no son las que esta orden espera.', { cause: error })
  }
}

export type TrustedByCaller = Pick<
  VerificationPolicy,
  'anchors' | 'candidates' | 'timestampAnchors' | 'constancias' | 'responders'
>

/** The authorities that the caller names with --trust; nobody without it. @throws {UsageError} */
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
    // Whoever names an authority takes its word for where it is asked, too.
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

/** @throws {UsageError} in place of whatever `read` throws */
export function orUsageError<T>(sentence: (error: unknown) => string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(sentence(error), { cause: error })
  }
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
