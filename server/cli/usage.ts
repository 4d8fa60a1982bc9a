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

/** Wrong usage of a command; `message` is es-MX. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws {UsageError} for unknown options */
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

/** The configuration of the server on whose data a command works. @throws {UsageError} */
export function configOrUsageError(): Config {
  try {
    return readConfig('start')
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}
