import type { DeadlineView } from '#app/http/deadline.ts'
import { Time } from './time.tsx'

export const Deadline = ({ deadline }: { deadline: DeadlineView }) =>
  deadline ? <Time at={deadline.at}>{deadline.day}</Time> : 'Sin fecha'
