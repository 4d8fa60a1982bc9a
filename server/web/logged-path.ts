/** The address of a user's calendar: its last part is a secret. */
const CALENDAR = /^\/calendar\/.*/i

/** The path of a request as a log may keep it. */
export const loggedPath = (path: string): string => path.replace(CALENDAR, '/calendar/…')
