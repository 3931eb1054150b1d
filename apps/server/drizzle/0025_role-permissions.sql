ALTER TABLE "roles" ALTER COLUMN "permissions" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "roles" ALTER COLUMN "permissions" SET DATA TYPE jsonb USING to_jsonb("permissions");--> statement-breakpoint
ALTER TABLE "roles" ALTER COLUMN "permissions" SET DEFAULT '[]'::jsonb;
