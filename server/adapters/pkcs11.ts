import { type ChildProcess, fork } from 'node:child_process'
import { verify, X509Certificate } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { DerError } from '#server/domain/asn1/der.ts'
import { TokenError } from '#server/domain/signing/token-refusal.ts'
import { type Duration, seconds } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { KeyTokens, OpenTokens, TokenCertificate } from '#server/ports/key-tokens.ts'
import { MODULE_ENVIRONMENT } from './pkcs11/environment.ts'
import type { FoundCertificate, Question, Reply } from './pkcs11/messages.ts'

/** The variables of those names that are set. */
export type EnvironmentOf = (names: readonly string[]) => Record<string, string>

export type KeyTokensOptions = {
  /** How long the module may take for a question. */
  patience?: Duration
  /** How long for a signature: the signer may have to touch the token. */
  patienceForTouch?: Duration
}

const WORKER = fileURLToPath(new URL('./pkcs11/worker.ts', import.meta.url))

/**
 * Tokens by the maker's PKCS#11 module. Each use has a process of its own: a login counts for the whole process
 * in which it was made, and a module that crashes or hangs takes nothing else with it.
 *
 * @param module the full path of the library
 * @param environmentOf of our environment, of which the module is told `MODULE_ENVIRONMENT` alone
 */
export function createKeyTokens(
  module: string,
  environmentOf: EnvironmentOf,
  options: KeyTokensOptions = {},
): KeyTokens {
  const { patience = seconds(20), patienceForTouch = seconds(60) } = options
  return {
    async withTokens(use) {
      const worker = startWorker(module, environmentOf(MODULE_ENVIRONMENT))
      const ask = (question: Question) =>
        askWorker(worker, question, question.kind === 'sign' ? patienceForTouch : patience)
      try {
        return await use(tokensOver(ask))
      } finally {
        // Not asked to end: a module that hangs would not.
        worker.kill('SIGKILL')
      }
    },
  }
}

function startWorker(module: string, env: Record<string, string>): ChildProcess {
  const worker = fork(WORKER, [module], {
    serialization: 'advanced',
    env,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // A vendor's library may print anything, secrets included.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // The pending request reports the error; without a listener it would end the server.
  worker.on('error', () => undefined)
  return worker
}

function tokensOver(ask: (question: Question) => Promise<unknown>): OpenTokens {
  const certificates = new Map<TokenCertificate, FoundCertificate>()
  const found = (certificate: TokenCertificate): FoundCertificate => {
    const known = certificates.get(certificate)
    if (!known) throw new Error('a certificate of other tokens')
    return known
  }
  return {
    async certificates(token) {
      const answered = (await ask({ kind: 'certificates', token })) as FoundCertificate[]
      return answered.flatMap((one) => {
        const certificate = readOrUndefined(one.der)
        if (!certificate) return []
        const listed = { token: one.token, serial: one.serial, certificate }
        certificates.set(listed, one)
        return [listed]
      })
    },
    async login(certificate, pin) {
      await ask({ kind: 'login', slot: found(certificate).slot, pin })
    },
    async sign(certificate, bytes) {
      const { slot, id, label, der } = found(certificate)
      const modulus = certificate.certificate.publicKey.modulus ?? new Uint8Array()
      const signature = await ask({ kind: 'sign', slot, id, label, modulus, bytes })
      return verified(signature as Uint8Array, bytes, der)
    },
  }
}

/** A token may hold anything; what is no certificate is not offered. */
function readOrUndefined(der: Uint8Array) {
  try {
    return readCertificate(new Uint8Array(der))
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** Tokens are prepared by hand: a key under the id of another certificate is found here and not in the deed. */
function verified(signature: Uint8Array, bytes: Uint8Array, der: Uint8Array): Uint8Array {
  if (verify('sha256', bytes, new X509Certificate(der).publicKey, signature)) return signature
  throw new TokenError('key-mismatch', 'the signature is not of the certificate')
}

/** One question at a time. @throws {TokenError} */
function askWorker(worker: ChildProcess, question: Question, patience: Duration): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      worker.off('message', onReply)
      worker.off('exit', onExit)
      settle()
    }
    const refuse = (code: TokenError['code'], message: string) =>
      end(() => reject(new TokenError(code, message)))
    const onReply = (reply: Reply) =>
      reply.kind === 'value'
        ? end(() => resolve(reply.value))
        : refuse(reply.code, `${question.kind}: ${reply.message}`)
    const onExit = () => refuse('module-unusable', `${question.kind}: the module ended its process`)
    const timer = setTimeout(() => {
      worker.kill('SIGKILL')
      refuse('token-silent', `${question.kind}: no answer within ${patience} ms`)
    }, patience)
    worker.on('message', onReply)
    worker.on('exit', onExit)
    if (worker.exitCode !== null || worker.signalCode !== null) return onExit()
    worker.send(question, (error) => {
      if (error) onExit()
    })
  })
}
