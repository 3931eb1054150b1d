DELETE FROM "directory_readings" WHERE "failure" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "directory_readings" ALTER COLUMN "failure" SET DATA TYPE jsonb USING "failure"::jsonb;