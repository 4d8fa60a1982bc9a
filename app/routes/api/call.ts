import type { Route } from './+types/call'
import { answerCall } from './answer-call.ts'

/** Everything under /api; the table in `calls.ts` lists paths and methods. */
export const loader = (args: Route.LoaderArgs) => answerCall(args)
export const action = (args: Route.ActionArgs) => answerCall(args)
