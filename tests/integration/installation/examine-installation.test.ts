import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createConstanciaProviders } from '#server/adapters/constancia-provider.ts'
import { createMailer } from '#server/adapters/mailer.ts'
import { insertTotpFactor } from '#server/db/factors/totp-factors.ts'
import { placeOfTotpSecret } from '#server/domain/identity/totp-factor.ts'
import { TotpFactorId } from '#server/domain/ids.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { after, days, seconds } from '#server/domain/time.ts'
import {
  examineInstallation,
  type Folders,
} from '#server/features/installation/examine-installation.ts'
import { storedConstanciaProvider } from '#tests/support/authorities/constancia-service.ts'
import { askingAt } from '#tests/support/authorities/timestamp-providers.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import { startSmtpServer } from '#tests/support/processes/smtp-server.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const GOOD: Folders = {
  secretsInData: undefined,
  otherKeys: undefined,
  free: 50 * 1024 ** 3,
  total: 100 * 1024 ** 3,
  sealingKeys: new Set([1]),
}

/** An office with an authenticator app, whose secret is sealed. */
async function anInstallation(system: TestSystem): Promise<void> {
  const user = await storedUser(system.db, await storedOffice(system.db))
  const id = TotpFactorId.parse(randomUUID())
  await system.db.transaction((trx) =>
    insertTotpFactor(trx, {
      id,
      userId: user.id,
      sealed: system.vault.seal(new Uint8Array(20), placeOfTotpSecret({ id, userId: user.id })),
      memory: { lastStep: 0, drift: seconds(0) },
      createdAt: MORNING,
      state: 'active',
      stateSince: MORNING,
      stateBy: user.id,
    }),
  )
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const findingsOf = (system: TestSystem, changes: Partial<Folders> = {}) =>
  Array.fromAsync(
    examineInstallation(system, { logFault: undefined, folders: { ...GOOD, ...changes } }, false),
  )

onEachSystem('examination of an installation', (current) => {
  const codesWith = async (changes: Partial<Folders>) => {
    await anInstallation(current())
    return (await findingsOf(current(), changes)).map(({ code }) => code)
  }

  test('a part that an office should have is a warning when it is missing', async () => {
    expect(await codesWith({})).toEqual([
      'log-holds',
      'files-held',
      'keys-held',
      'disk-free',
      'mail-missing',
      'timestamps-missing',
      'constancias-missing',
    ])
  })

  test.each<[string, Partial<Folders>]>([
    ['sealing-keys-missing', { sealingKeys: new Set([2]) }],
    ['secrets-beside-data', { secretsInData: '/data/secrets' }],
    ['disk-low', { free: 1024 ** 3 }],
    ['disk-low', { free: 4 * 1024 ** 3 }],
  ])('%s (%j)', async (code, changes) => {
    expect(await codesWith(changes)).toContain(code)
  })

  test('the mail server is asked: one that answers is good, one that is away or refuses the login a fault', async () => {
    await anInstallation(current())
    const credentials = { user: 'rubrica', password: 'la buena' }
    const smtp = await startSmtpServer({ credentials })
    onTestFinished(() => smtp.stop())
    const mailFinding = async (port: number, password = credentials.password) => {
      const from = { name: 'Notaría 12', address: 'rubrica@notaria.example' }
      const server = { host: '127.0.0.1', port, security: 'none', from } as const
      const mailer = createMailer({ ...server, credentials: { ...credentials, password } })
      const findings = await findingsOf({ ...current(), mailer })
      return findings.find(({ code }) => code.startsWith('mail-'))
    }
    expect(await mailFinding(smtp.port)).toMatchObject({ code: 'mail-answers', level: 'good' })
    expect(await mailFinding(smtp.port, 'otra')).toMatchObject({
      ...{
        code: 'mail-silent',
        level: 'fault',
        parameters: { reason: expect.stringMatching(/^535/) },
      },
    })
    expect(await mailFinding(await freePort())).toMatchObject({ code: 'mail-silent' })
    expect(await smtp.received()).toEqual([])
  })

  test('a constancia provider is reached without a request for a constancia; one that is away is a fault', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer(({ method, headers }, response) => {
      asked.push(method, headers.authorization)
      response.writeHead(405).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const office = await storedOffice(current().db)
    const constancias = createConstanciaProviders({
      ...{ networks: outgoingNetworks([]), vault: current().vault, patience: seconds(2) },
    })
    await storedConstanciaProvider(current().db, office.id, addressOf(server))
    const system = { ...current(), constancias }
    const found = async () => (await findingsOf(system)).at(-1)
    expect(await found()).toMatchObject({ code: 'constancias-reached', level: 'good' })
    expect(asked).toEqual(['GET', undefined])
    server.close()
    expect(await found()).toMatchObject({
      ...{ code: 'constancias-unreachable', level: 'fault' },
      parameters: { office: office.name, reason: expect.stringContaining('ECONNREFUSED') },
    })
  })

  test.each([
    [0, 'clock-right', 'good'],
    [60, 'clock-right', 'good'],
    [61, 'clock-wrong', 'fault'],
    [-61, 'clock-wrong', 'fault'],
  ])('a clock that is %i seconds from a timestamp: %s', async (difference, code, level) => {
    const office = await storedOffice(current().db)
    await askingAt(current(), { office }, ['http://127.0.0.1:9/'])
    const timestamps: TestSystem['timestamps'] = {
      stamp: async (_, [asked]) => ({
        ...{ kind: 'stamped', token: new Uint8Array(), failures: [], by: asked?.name ?? '' },
        byId: asked?.id ?? '',
        time: after(current().clock.now(), seconds(difference)),
        pathEnds: after(current().clock.now(), days(30)),
      }),
    }
    const policy = { anchors: [], candidates: [], at: MORNING }
    const trust = { ...current().trust, policy: async () => policy }
    const findings = await findingsOf({ ...current(), timestamps, trust })
    expect(findings.slice(-3, -1)).toMatchObject([
      { code: 'timestamps-answer', level: 'good' },
      { code, level },
    ])
  })
})
