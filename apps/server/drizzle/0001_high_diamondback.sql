CREATE TABLE "selections" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"org_id" uuid NOT NULL,
	"list" text,
	"ids" jsonb NOT NULL,
	"date_expired" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "selections_date_expired" ON "selections" USING btree ("date_expired");