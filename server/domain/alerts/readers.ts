import type { User } from '#server/domain/identity/user.ts'

/** Who reads an alert about a user: the user, or the administrators of the office. */
export type AlertReader = 'owner' | 'office'

/** Both; an administrator gets the alert of the office alone. */
export const readersOfAlertAbout = ({ roles }: Pick<User, 'roles'>): readonly AlertReader[] =>
  roles.includes('ADMIN') ? ['office'] : ['owner', 'office']
