import { createMemory } from '#server/adapters/memory.ts'
import type { DemoServices } from '#server/demo/direct-services.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/**
 * The system at an instant of the past: what the use cases write, sign and stamp with it is of that instant.
 *
 * @param turn awaited before each transaction
 */
export function systemAt(
  system: System,
  services: DemoServices,
  at: Instant,
  turn: () => Promise<void> = async () => {},
): System {
  const clock = { now: () => at }
  const { db } = system
  const past: System = {
    ...system,
    clock,
    // What one of them remembers of the past must not be taken for what it knows now.
    memory: createMemory(),
    // No mail leaves about what is long over.
    mailer: null,
    db: {
      ...db,
      async transaction(work) {
        await turn()
        return await db.transaction(work)
      },
    },
  }
  return { ...past, ...services(past) }
}
