CREATE TABLE "pending_sign_ins" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"component_id" uuid,
	"door" text NOT NULL,
	"login_type" text NOT NULL,
	"proven_by" text NOT NULL,
	"proof" text,
	"new_password_hash" text,
	"auto_login" boolean DEFAULT false NOT NULL,
	"remote_addr" text NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"mfa_type" text,
	"otp_offered" text,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"date_expired" timestamp with time zone NOT NULL,
	CONSTRAINT "pending_sign_ins_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"date_used" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "bearer_tokens" ADD COLUMN "otp_offered" text;--> statement-breakpoint
ALTER TABLE "web_sessions" ADD COLUMN "otp_offered" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "otp_last_step" integer;--> statement-breakpoint
ALTER TABLE "pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_component_id_users_id_fk" FOREIGN KEY ("component_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_sign_ins_user_idx" ON "pending_sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "pending_sign_ins_expired_idx" ON "pending_sign_ins" USING btree ("date_expired");--> statement-breakpoint
CREATE INDEX "recovery_codes_user_idx" ON "recovery_codes" USING btree ("user_id");