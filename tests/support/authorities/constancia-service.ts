import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openTrustStore } from '#server/adapters/trust-store.ts'
import { insertServiceProvider } from '#server/db/trust/service-providers.ts'
import { createConstanciaProvider } from '#server/demo/constancia-provider.ts'
import { type DemoFiles, makeDemoFiles } from '#server/demo/demo-files.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { DEMO_CONSTANCIA_ISSUER } from '#server/domain/timestamp/constancia-issuer.ts'
import { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import type { System } from '#server/system.ts'
import { MORNING } from '#tests/support/builders.ts'

/** The behaviour of the provider for the next requests. */
export type Mood =
  | 'well'
  | 'bare'
  | 'down'
  | 'slow'
  | 'garbage'
  | 'refusing'
  | 'other-file'
  | 'forged'
  | 'cut'

export type ConstanciaService = {
  url: string
  mood: Mood
  /** Bodies and headers, as they came. */
  seen: { body: Uint8Array; headers: IncomingMessage['headers'] }[]
  /** How many constancias were given, and so paid for. */
  given(): number
  /** The trust anchors of its clients. */
  trust: System['trust']
  files: DemoFiles
  close(): Promise<void>
}

/** A provider of constancias over real HTTP that can fail in every way. */
export async function startConstanciaService(now: () => Instant): Promise<ConstanciaService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-constancias-'))
  const files = await makeDemoFiles(folder, MORNING)
  const provider = createConstanciaProvider(files.services.constancias)
  const service: ConstanciaService = {
    url: '',
    mood: 'well',
    seen: [],
    given: provider.count,
    files,
    trust: openTrustStore({
      folders: [],
      constancias: {
        folder: path.join(folder, 'constancias'),
        label: 'Constancias de prueba',
        forTesting: true,
        revocation: 'when-available',
        issuers: [DEMO_CONSTANCIA_ISSUER],
      },
      decisions: { version: async () => '', list: async () => [] },
      isDemo: true,
    }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true })
    },
  }
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = new Uint8Array(Buffer.concat(chunks))
    service.seen.push({ body, headers: request.headers })
    answer(service.mood, body, response, (asked) => provider.answer(asked, now()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/constancia`
  return service
}

function answer(
  mood: Mood,
  body: Uint8Array,
  response: ServerResponse,
  give: (asked: Uint8Array) => Uint8Array,
): void {
  // Providers use any media type.
  const send = (bytes: Uint8Array) =>
    response.setHeader('Content-Type', 'application/octet-stream').end(bytes)
  switch (mood) {
    case 'well':
      return void send(give(body))
    case 'bare':
      return void send(bareTokenIn(give(body)))
    case 'down':
      return void response.writeHead(503).end()
    case 'slow':
      return
    case 'garbage':
      return void send(Buffer.from('<html>Mantenimiento</html>'))
    case 'refusing':
      return void send(give(new Uint8Array([1])))
    case 'other-file':
      return void send(give(withAnotherImprint(body)))
    case 'forged':
      return void send(withLastOctetChanged(give(body)))
    case 'cut':
      response.writeHead(200, { 'Content-Length': 5000 }).write('0')
      return void response.destroy()
  }
}

/** The part of a TimeStampResp after its status. */
function bareTokenIn(answer: Uint8Array): Uint8Array {
  const granted = 0x30
  const inner = answer.subarray(4)
  // A token begins with an object identifier, a response with the sequence of its status.
  return inner[0] === granted ? inner.subarray(2 + (inner[1] ?? 0)) : answer
}

/** The imprint stands at the same place in each of our requests: behind the algorithm's 15 octets. */
function withAnotherImprint(request: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(request)
  const at = Buffer.from(copy).indexOf(Buffer.from([0x04, 0x20])) + 2
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

function withLastOctetChanged(answer: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(answer)
  const last = copy.length - 1
  copy[last] = (copy[last] ?? 0) ^ 1
  return copy
}

/** The only provider of an office. */
export async function storedConstanciaProvider(
  db: System['db'],
  officeId: OfficeId,
  url: string,
  changes: Partial<Record<keyof ServiceProvider, unknown>> = {},
): Promise<ServiceProvider> {
  const provider = ServiceProvider.parse({
    id: randomUUID(),
    officeId,
    kind: 'constancia',
    name: 'Prestador de prueba',
    url,
    username: null,
    sealed: null,
    policy: null,
    cost: null,
    position: 1,
    state: 'active',
    stateSince: MORNING,
    stateBy: null,
    ...changes,
  })
  await db.transaction((trx) => insertServiceProvider(trx, provider))
  return provider
}
