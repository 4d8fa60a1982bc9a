import { reach } from '#server/db/reach.ts'
import type { System } from '#server/system.ts'

/** For a proxy that asks whether this process should get requests. @throws {Error} if the database does not answer */
export const reachDatabase = ({ db }: Pick<System, 'db'>): Promise<void> => reach(db)
