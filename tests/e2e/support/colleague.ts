import { randomUUID } from 'node:crypto'
import { test as base } from './fixtures.ts'
import { officeDatabase } from './office-database.ts'

export type Colleague = { id: string; email: string; password: string }
export type Office = ReturnType<typeof officeDatabase>

/** For tests that move the time of rows in the database: each has its own user, a clerk. */
export const test = base.extend<{ office: Office; colleague: Colleague }>({
  office: async ({}, use) => {
    const office = officeDatabase(process.env.DEMO_DATA ?? '')
    await use(office)
    office.close()
  },
  colleague: async ({ office, person }, use) => {
    const { email, password } = person('CLERK')
    const [row] = office.all<Record<string, unknown>>('select * from users where email = ?', email)
    const colleague = { id: randomUUID(), email: `${randomUUID()}@notaria.example`, password }
    // Other tests choose people by their names.
    const { id, email: address } = colleague
    const name = { last_name: `Colega ${id.slice(0, 4)}` }
    const values = { ...row, ...name, id, email: address, created_at: Date.now() }
    const columns = Object.keys(values)
    office.change(
      `insert into users (${columns.join()}) values (${columns.map(() => '?').join()})`,
      ...Object.values(values),
    )
    office.change(
      `insert into user_roles (user_id, role, granted_at) values (?, 'CLERK', 0)`,
      colleague.id,
    )
    await use(colleague)
  },
})

/** Moves the last proof of identity of the user, in all sessions, this many minutes into the past. */
export function ageProof(office: Office, { id }: Colleague, minutes: number): void {
  const provenAt = Date.now() - minutes * 60_000
  office.change('update sessions set proven_at = ? where user_id = ?', provenAt, id)
}

/** Lets the ten minutes of every access token pass. */
export function ageAccess(office: Office, { id }: Colleague): void {
  office.change(
    `update session_tokens set expires_at = 1 where kind = 'access'
     and session_id in (select id from sessions where user_id = ?)`,
    id,
  )
}
