import { expect } from './fixtures.ts'
import type { Client } from './http.ts'

/** Begins an upload as the page does, and sends nothing of it. */
export async function beginUpload(client: Client, name: string, bytes: number): Promise<void> {
  const { text } = await client.get('/dashboard/documents/new')
  const owner = /owner\\?",\\?"([0-9a-f-]{36})/.exec(text)?.[1]
  if (!owner) throw new Error('the page names no owner')
  const fields = { name, bytes: String(bytes), modifiedAt: '1', owner }
  const { status } = await client.post('/dashboard/documents/uploads', fields)
  expect(status).toBe(200)
}
