import { spawnSync } from 'node:child_process'
import { verify } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Cryptoki, CryptokiError } from '#server/adapters/pkcs11/cryptoki.ts'
import { MODULE_ENVIRONMENT } from '#server/adapters/pkcs11/environment.ts'
import { tokensOf } from '#server/adapters/pkcs11/token.ts'
import { createKeyTokens } from '#server/adapters/pkcs11.ts'
import { environmentOf } from '#server/config.ts'
import { type Efirma, newKeyPair } from '#server/demo/certification-authority.ts'
import { TokenError } from '#server/domain/signing/token-refusal.ts'
import { seconds } from '#server/domain/time.ts'
import type { KeyTokens } from '#server/ports/key-tokens.ts'
import { sentenceOfToken } from '#server/words/tokens.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { aSoftToken } from '#tests/support/keys/a-soft-token.ts'
import {
  type SoftTokenRequest,
  setTokenFlags,
  TEST_PIN,
  TOKEN_FLAGS,
} from '#tests/support/keys/soft-tokens.ts'

/*
 * With SoftHSM 2, a real module whose tokens are folders.
 */

const DEED = Buffer.from('escritura 4521')

let efirma: Efirma
let other: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
  other = await testEfirma({ keyPair: await newKeyPair() })
}, 60_000)

const tokensWith = (request: SoftTokenRequest = { objects: [{ efirma }] }) =>
  createKeyTokens(aSoftToken(request).module, environmentOf)

/** Signs with the first certificate. */
const signWith = (tokens: KeyTokens, pin = TEST_PIN) =>
  tokens.withTokens(async (opened) => {
    const [first] = await opened.certificates('notaria')
    if (!first) throw new Error('no certificate')
    await opened.login(first, pin)
    return opened.sign(first, DEED)
  })

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => new Error('it did not refuse'),
    (reason) => reason,
  )
  if (!(error instanceof TokenError)) throw error
  expect(error.message).not.toContain(TEST_PIN)
  return error.code
}

const isSigned = (signature: Uint8Array, by = efirma) =>
  verify('sha256', DEED, by.keyPair.publicKey, signature)

describe('a key in a token signs', () => {
  type How = Omit<NonNullable<SoftTokenRequest['objects']>[number], 'efirma'>
  test.each<[string, How, string]>([
    ['by its id', {}, 'ALL'],
    ['of a token that cannot hash', {}, '-CKM_SHA256_RSA_PKCS'],
    ['that asks for the PIN each time', { asksAlways: true }, 'ALL'],
    ['under another id, by its number', { id: '02', certificateId: '01' }, 'ALL'],
  ])('%s', async (_, how, mechanisms) => {
    const tokens = tokensWith({ mechanisms, objects: [{ efirma, ...how }] })
    expect(isSigned(await signWith(tokens))).toBe(true)
  })
})

test('the certificates of every token are told, with the names of the tokens', async () => {
  const tokens = tokensWith({ objects: [{ efirma }, { efirma: other, id: '02' }] })
  const listed = await tokens.withTokens((opened) => opened.certificates())
  expect(listed.map(({ token, certificate }) => [token, certificate.serial])).toEqual(
    expect.arrayContaining([
      ['notaria', efirma.certificate.serial],
      ['notaria', other.certificate.serial],
    ]),
  )
})

test('several keys: each signs for its own certificate', async () => {
  const tokens = tokensWith({ objects: [{ efirma }, { efirma: other, id: '02' }] })
  await tokens.withTokens(async (opened) => {
    const listed = await opened.certificates()
    for (const one of listed) {
      await opened.login(one, TEST_PIN)
      const whose = [efirma, other].find(
        ({ certificate }) => certificate.serial === one.certificate.serial,
      )
      expect(isSigned(await opened.sign(one, DEED), whose)).toBe(true)
    }
  })
})

describe('refused by name', () => {
  test('a wrong PIN, and the right one afterwards', async () => {
    const tokens = tokensWith()
    expect(await refusalOf(signWith(tokens, '000000'))).toBe('wrong-pin')
    expect(await refusalOf(signWith(tokens, '1'))).toBe('wrong-pin')
    expect(isSigned(await signWith(tokens))).toBe(true)
  })

  test('a token of which one try is left, which is its owner’s', async () => {
    const token = aSoftToken({ objects: [{ efirma }] })
    setTokenFlags(token, TOKEN_FLAGS.userPinFinalTry)
    const tokens = createKeyTokens(token.module, environmentOf)
    expect(await refusalOf(signWith(tokens, '000000'))).toBe('pin-last-try')
    expect(await refusalOf(signWith(tokens))).toBe('pin-last-try')
  })

  test('a wrong PIN after which one try is left', () => {
    const infos = [0, TOKEN_FLAGS.userPinFinalTry, TOKEN_FLAGS.userPinFinalTry]
    const tried: string[] = []
    const cryptoki = {
      tokenInfo: () => ({ label: 'notaria', serial: '1', flags: infos.shift() ?? 0 }),
      openSession: () => 1n,
      login(_session: bigint, _user: number, pin: Buffer) {
        tried.push(pin.toString())
        throw new CryptokiError('C_Login', 0xa0)
      },
    }
    const opened = tokensOf(cryptoki as unknown as Cryptoki)
    const codeOf = (pin: string) => {
      try {
        opened.login(0n, pin)
      } catch (error) {
        if (error instanceof TokenError) return error.code
        throw error
      }
    }
    expect([codeOf('000000'), codeOf('111111')]).toEqual(['wrong-pin-last-try', 'pin-last-try'])
    expect(tried).toEqual(['000000'])
  })

  test('no token at all: the refusal speaks of a name only if one was asked for', () => {
    const opened = tokensOf({ slots: () => [] } as unknown as Cryptoki)
    expect(() => opened.certificates(undefined)).toThrow(
      expect.objectContaining({ code: 'no-token' }),
    )
    expect(() => opened.certificates('otra')).toThrow(
      expect.objectContaining({ code: 'no-such-token' }),
    )
    expect(sentenceOfToken('no-token')).not.toContain('nombre')
  })

  test('a locked PIN, which is not even tried', async () => {
    const token = aSoftToken({ objects: [{ efirma }] })
    setTokenFlags(token, TOKEN_FLAGS.userPinLocked)
    expect(await refusalOf(signWith(createKeyTokens(token.module, environmentOf)))).toBe(
      'pin-locked',
    )
  })

  test('another token, a certificate without its key, another key', async () => {
    const tokens = tokensWith({ objects: [{ efirma, without: 'key' }] })
    const another = tokens.withTokens((opened) => opened.certificates('otra'))
    expect(await refusalOf(another)).toBe('no-such-token')
    expect(await refusalOf(signWith(tokens))).toBe('no-key')
  })

  test('another key under the id of the certificate', async () => {
    const objects = [
      { efirma, without: 'key' },
      { efirma: other, without: 'certificate' },
    ] as const
    expect(await refusalOf(signWith(tokensWith({ objects })))).toBe('key-mismatch')
  })

  test.each([['/etc/hostname'], ['/nowhere/module.so'], ['']])('no module: %s', async (module) => {
    expect(await refusalOf(signWith(createKeyTokens(module, environmentOf)))).toBe(
      'module-unusable',
    )
  })
})

describe('events during sign-in', () => {
  test('the token is pulled out', async () => {
    const token = aSoftToken({ objects: [{ efirma }] })
    const work = createKeyTokens(token.module, environmentOf).withTokens(async (opened) => {
      const [first] = await opened.certificates()
      if (!first) throw new Error('no certificate')
      await opened.login(first, TEST_PIN)
      rmSync(token.folder, { recursive: true })
      return opened.sign(first, DEED)
    })
    expect(['token-removed', 'no-key', 'token-failed']).toContain(await refusalOf(work))
  })

  test('the module ends its process', async () => {
    const work = tokensWith().withTokens(async (opened) => {
      const [first] = await opened.certificates()
      if (!first) throw new Error('no certificate')
      for (const child of children()) process.kill(child, 'SIGSEGV')
      return opened.sign(first, DEED)
    })
    expect(await refusalOf(work)).toBe('module-unusable')
  })

  test('the module hangs', async () => {
    const token = aSoftToken()
    // It waits for its configuration from a pipe that stays empty.
    const pipe = `${token.configuration}.pipe`
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    vi.stubEnv('SOFTHSM2_CONF', pipe)
    const tokens = createKeyTokens(token.module, environmentOf, { patience: seconds(2) })
    expect(await refusalOf(signWith(tokens))).toBe('token-silent')
    await expect.poll(children).toEqual([])
  })

  test('the module sees only the environment variables that modules need', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://rubrica:secreta@db/rubrica')
    vi.stubEnv('SMTP_URL', 'smtp://rubrica:secreta@correo')
    vi.stubEnv('NODE_OPTIONS', '--no-deprecation')
    const known = await tokensWith().withTokens(async (opened) => {
      await opened.certificates()
      return children().flatMap((pid) =>
        readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean),
      )
    })
    const names = known.map((line) => line.slice(0, line.indexOf('=')))
    expect(names).toContain('SOFTHSM2_CONF')
    // Over this channel it is asked.
    const own = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']
    const others = names.filter((name) => ![...MODULE_ENVIRONMENT, ...own].includes(name))
    expect(others).toEqual([])
    expect(known.join()).not.toContain('secreta')
  })

  test('two people sign at once, and a PIN opens nothing for the other', async () => {
    const tokens = tokensWith()
    const [good, bad, again] = await Promise.allSettled([
      signWith(tokens),
      signWith(tokens, '000000'),
      signWith(tokens),
    ])
    expect([good.status, bad.status, again.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('PKCS#11: no process is left running', async () => {
    await signWith(tokensWith())
    await expect.poll(children).toEqual([])
  })
})

/** The processes of modules that this one started. */
function children(): number[] {
  const tasks = `/proc/${process.pid}/task`
  const all = readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, 'utf8').trim().split(/\s+/),
  )
  return all
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pkcs11/worker'))
}
