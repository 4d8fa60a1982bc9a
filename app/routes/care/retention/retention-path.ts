export const RETENTION_PATH = '/dashboard/retention'
