import type { System } from '#server/system.ts'

/** Renews what the planner of the database knows about tables that have grown. Safe to run twice. */
export const optimizeDatabase = ({ db }: Pick<System, 'db'>): Promise<void> => db.optimize()
