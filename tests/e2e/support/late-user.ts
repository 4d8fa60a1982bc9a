import { randomUUID } from 'node:crypto'
import { aTitle, type Deed } from './deeds.ts'
import { test as base } from './fixtures.ts'
import { signedInClient } from './http.ts'
import { type OfficeDatabase, officeDatabase } from './office-database.ts'
import { openSession } from './signing-session.ts'

export type LateUser = {
  id: string
  email: string
  password: string
  /** Ends every session of the user, as an administrator may. */
  endSessions(): void
}

type Fixtures = {
  rows: OfficeDatabase
  /** A new user for this test, with every role: other tests keep their sessions. */
  late: LateUser
  /** The id of a signing session that the clerk made and did not open. */
  draftSession: (documentId: string) => Promise<string>
  /** A deed that waits for the signature of the new user. */
  turn: Deed
}

export const test = base.extend<Fixtures>({
  rows: async ({}, use) => {
    const rows = officeDatabase(process.env.DEMO_DATA ?? '')
    await use(rows)
    rows.close()
  },
  late: async ({ rows, person }, use) => {
    const { email: model, password } = person('titular')
    const [row] = rows.all<Record<string, unknown>>('select * from users where email = ?', model)
    const id = randomUUID()
    const email = `tarde-${id.slice(0, 8)}@notaria.example`
    // Other tests choose people by their names.
    const values = {
      ...row,
      id,
      email,
      last_name: `Tarde ${id.slice(0, 4)}`,
      created_at: Date.now(),
    }
    rows.change(
      `insert into users (${Object.keys(values).join()})
       values (${Object.keys(values).map(() => '?')})`,
      ...Object.values(values),
    )
    for (const role of ['ADMIN', 'NOTARY', 'CLERK'])
      rows.change(
        'insert into user_roles (user_id, role, granted_at) values (?, ?, ?)',
        ...[id, role, Date.now()],
      )
    const endSessions = () =>
      void rows.change(
        `update sessions set ended_at = ?, end_reason = 'ended-by-administrator'
         where user_id = ? and ended_at is null`,
        ...[Date.now(), id],
      )
    await use({ id, email, password, endSessions })
  },
  turn: async ({ demo, person, late, uploadedDeed }, use) => {
    const deed = await uploadedDeed()
    await openSession(demo.origin, person('CLERK'), [deed], [{ id: late.id }])
    await use(deed)
  },
  draftSession: async ({ demo, person }, use) => {
    await use(async (documentId) => {
      const client = await signedInClient(demo.origin, person('CLERK'))
      const { headers } = await client.postParts('/dashboard/signing/new', [
        { name: 'title', content: aTitle('Sesión') },
        { name: 'document', content: documentId },
      ])
      return /\/signing\/([0-9a-f-]{36})/.exec(headers.location ?? '')?.[1] ?? ''
    })
  },
})
