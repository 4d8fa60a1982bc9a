import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { work } from '#server/cli/agent.ts'
import { type AgentServer, ServerRefusal } from '#server/cli/agent-server.ts'
import type { OpenedKey } from '#server/cli/opened-key.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'

beforeEach(() => {
  for (const stream of ['log', 'error'] as const) vi.spyOn(console, stream).mockReturnValue()
  return () => vi.restoreAllMocks()
})

const PAGE = 2
const SHA256 = sha256('a document')

/** A server with so many documents in pages of two, of which it refuses to sign the first ones. */
function aServer(count: number, options: { refused?: number; hasPages: boolean }) {
  const { refused = 0, hasPages } = options
  const ids = Array.from({ length: count }, (): string => randomUUID())
  const signed = new Set<string>()
  const server: AgentServer = {
    async turns(behind = '0') {
      const waiting = ids.slice(Number(behind)).filter((id) => !signed.has(id))
      const page = waiting.slice(0, PAGE)
      const end = ids.indexOf(page.at(-1) ?? '') + 1
      return {
        ...{ name: 'Ana Muñoz', rfc: 'MULA800101AB1' },
        documents: page.map((documentId) => ({
          ...{ documentId, folio: '2026-000001', title: 'Poder', version: 1, sha256: SHA256 },
          ...{ pages: 1, session: null },
        })),
        ...(hasPages && { next: waiting.length > PAGE ? String(end) : null }),
      }
    },
    async prepare({ documentId }, certificate) {
      if (ids.indexOf(documentId) < refused)
        throw new ServerRefusal('pages-unread', 'No ha leído todas las páginas.')
      const digest = fromHex(SHA256)
      const certificateDigest = fromHex(sha256(certificate))
      const toBeSigned = buildSignedAttributes({ digest, certificateDigest })
      return { preparedId: documentId, toBeSigned, digest, documentSha256: SHA256 }
    },
    async complete(preparedId) {
      signed.add(preparedId)
    },
  }
  return { server, signed, ids }
}

async function once(server: AgentServer): Promise<boolean> {
  const { cer } = await testEfirma()
  const key: OpenedKey = {
    ...{ kind: 'opened', certificate: readCertificate(cer), path: [] },
    sign: async () => Uint8Array.of(1),
  }
  return await work({ server, key, isOnce: true, stop: new AbortController().signal })
}

test('agent: signs what stands behind a page of refused documents, and says that it left some', async () => {
  const { server, signed, ids } = aServer(5, { refused: 3, hasPages: true })
  expect(await once(server)).toBe(false)
  expect([...signed]).toEqual(ids.slice(3))
})

test('agent: with a server of an earlier release it goes on until nothing is left', async () => {
  const { server, signed, ids } = aServer(5, { hasPages: false })
  expect(await once(server)).toBe(true)
  expect([...signed]).toEqual(ids)
})

test('agent: with such a server it says that it left something behind refused documents', async () => {
  const { server, signed } = aServer(5, { refused: 2, hasPages: false })
  expect(await once(server)).toBe(false)
  expect(signed.size).toBe(0)
})
