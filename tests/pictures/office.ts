import { SAMPLE_DEEDS } from '#server/demo/sample-deeds.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'
import { type Demo, type DemoUser, startDemoServer } from '#tests/support/processes/demo-server.ts'

/** A demo office that its jobs have finished with, and what the pictures show of it. */
export type PicturedOffice = {
  demo: Demo
  /** The ids of a draft, and of a document that its signers have signed. */
  draft: string
  signed: string
}

const PATIENCE_MS = 240_000

/** As an office machine shows itself; lists of sessions and the log name it. */
export const OFFICE_BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36'

/** The notary who has something to sign. */
export const NOTARY = 'suplente'

/** Starts a demo of its own; `stop` removes it. */
export async function openOffice(): Promise<PicturedOffice & { stop(): Promise<void> }> {
  const { demo, stop } = await startDemoServer()
  try {
    return { ...(await settledOffice(demo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Waits until the documents can be found and the signed one has its constancia, both of which take jobs some time, and
 * sends a draft to the notary.
 */
async function settledOffice(demo: Demo): Promise<PicturedOffice> {
  const clerk = findUser(demo, 'auxiliar')
  const client = await signedInClient(demo.origin, clerk, OFFICE_BROWSER)
  const [deed, power] = SAMPLE_DEEDS.filter(({ signers }) => signers.length === 0)
  const several = SAMPLE_DEEDS.find(({ signers }) => signers.length > 1)
  const draft = await idOf(deed)
  const signed = await idOf(several)
  // The public page: the log has no event for it.
  await until('the constancia', async () =>
    />Constancia NOM-151<.{1,200}>Emitida</s.test((await client.get(`/verify/${signed}`)).text),
  )
  const signer = { colleague: fullName(findUser(demo, NOTARY)), step: 1 }
  const session = { title: 'Poder · Ibargüengoitia', userAgent: OFFICE_BROWSER }
  await openSession(demo.origin, clerk, [{ id: await idOf(power) }], [signer], session)
  return { demo, draft, signed }

  async function idOf(sample: { title: string } | undefined): Promise<string> {
    if (!sample) throw new Error('the demo has no such document')
    const { title } = sample
    const address = `/dashboard/documents?${new URLSearchParams({ text: title })}`
    return await until(title, async () => {
      const { text } = await client.get(address)
      const links = text.matchAll(/href="\/dashboard\/documents\/([0-9a-f-]{36})"[^>]*>([^<]+)</g)
      return [...links].find(([, , shown]) => shown === title)?.[1]
    })
  }
}

async function until<T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
  throw new Error(`${what} did not come within ${PATIENCE_MS / 1000} seconds`)
}

/** @param who the beginning of the e-mail address */
export function findUser({ users }: Demo, who: string): DemoUser {
  const user = users.find(({ email }) => email.startsWith(`${who}@`))
  if (!user) throw new Error(`the demo has no ${who}`)
  return user
}

export const fullName = ({ firstName, lastName }: Pick<DemoUser, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`
