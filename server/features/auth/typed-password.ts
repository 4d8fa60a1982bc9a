import { z } from 'zod'

/**
 * A password as typed, never trimmed. The limit, well above every password rule, avoids hashing huge inputs.
 */
export const TypedPassword = z.string().min(1).max(512)
