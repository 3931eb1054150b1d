import { randomBytes } from 'node:crypto'
import { defaultOrgId, roleIds } from '@sallyport/contract'
import { withTransaction } from '../../kernel/database/index.ts'
import { hashPassword } from './passwords.ts'
import { builtinAdmin } from './resources.ts'
import type { UsersServices } from './service.ts'
import { passwordHistory, userGroupMembers, userGroups, users } from './tables.ts'

/**
 * Makes the first administrator where there is none, with the given password or a generated one.
 * @returns the generated password, to be shown once; undefined when nothing was generated.
 */
export async function seedAdministrator(
  { database, rbac }: UsersServices,
  givenPassword: string | undefined,
): Promise<string | undefined> {
  const password = givenPassword ?? randomBytes(15).toString('base64url')
  const password_hash = await hashPassword(password)
  const isNew = await withTransaction(database.db, async (tx) => {
    const [admin] = await tx
      .insert(users)
      .values({
        username: builtinAdmin,
        name: 'Administrator',
        email: 'admin@example.com',
        password_hash,
        date_password_last_updated: new Date(),
        created_by: 'System',
        updated_by: 'System',
      })
      .onConflictDoNothing()
      .returning({ id: users.id })
    if (admin === undefined) return false
    await tx.insert(passwordHistory).values({ user_id: admin.id, password_hash })
    await rbac.assign(tx, admin.id, [roleIds.systemAdmin], null)
    await rbac.assign(tx, admin.id, [roleIds.orgAdmin], defaultOrgId)
    const [group] = await tx
      .insert(userGroups)
      .values({ name: 'Default', org_id: defaultOrgId, created_by: 'System', updated_by: 'System' })
      .onConflictDoNothing()
      .returning({ id: userGroups.id })
    if (group) await tx.insert(userGroupMembers).values({ user_id: admin.id, usergroup_id: group.id })
    return true
  })
  return isNew && givenPassword === undefined ? password : undefined
}
