ALTER TABLE "account_histories" ADD COLUMN "org_id" uuid;--> statement-breakpoint
UPDATE "account_histories" SET "org_id" = coalesce(
	(SELECT "accounts"."org_id" FROM "accounts" WHERE "accounts"."id" = "account_histories"."id"),
	-- Whose account is gone: reachable from no organization.
	'00000000-0000-0000-0000-000000000000'
);--> statement-breakpoint
ALTER TABLE "account_histories" ALTER COLUMN "org_id" SET NOT NULL;
